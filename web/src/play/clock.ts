// What time it is in a clip.

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

/** A clip's clock, in the file's own units: frames, or milliseconds. */
export class Clock {
  time = 0;
  isPlaying = false;
  speed = 1;
  isLooping = true;
  length = 0;
  /** Units in a second. */
  rate = 1;

  /** Sets it to the beginning of a clip. */
  begin(length: number, rate: number, isLooping: boolean): void {
    this.length = length;
    this.rate = rate;
    this.isLooping = isLooping;
    this.time = 0;
  }

  /** Lets so many seconds go by. */
  pass(seconds: number): void {
    if (!this.isPlaying || this.length <= 0) return;
    const time = this.time + seconds * this.rate * this.speed;
    if (time <= this.length) this.time = time;
    else if (this.isLooping) this.time = time % this.length;
    else {
      this.time = this.length;
      this.isPlaying = false;
    }
  }

  /** Plays, from the beginning if it stands at the end; or stops. */
  toggle(): void {
    if (!this.isPlaying && this.time >= this.length) this.time = 0;
    this.isPlaying = !this.isPlaying;
  }

  /** Goes to a time within the clip. It may go on playing from there. */
  seek(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.length);
  }

  /** Goes to the next whole frame, or back to the one before. */
  step(direction: 1 | -1): void {
    this.isPlaying = false;
    const frame = this.frame;
    const at = this.time / frame;
    const next = direction > 0 ? Math.floor(at + 1e-6) + 1 : Math.ceil(at - 1e-6) - 1;
    this.seek(next * frame);
  }

  /** How long a frame is: times in milliseconds and seconds go by thirtieths of a second. */
  get frame(): number {
    return this.rate === 1000 || this.rate === 1 ? this.rate / 30 : 1;
  }

  /** A time as people read it. */
  shown(time = this.time): string {
    if (this.rate === 1000) return `${Math.round(time)} ms`;
    if (this.rate === 1) return `${time.toFixed(2)} s`;
    return `${time.toFixed(time % 1 === 0 ? 0 : 1)}`;
  }
}
