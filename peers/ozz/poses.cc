// What ozz-animation takes for the clips of our benchmark: poses CLIP.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "ozz/animation/offline/animation_builder.h"
#include "ozz/animation/offline/raw_animation.h"
#include "ozz/animation/offline/raw_skeleton.h"
#include "ozz/animation/offline/skeleton_builder.h"
#include "ozz/animation/runtime/animation.h"
#include "ozz/animation/runtime/local_to_model_job.h"
#include "ozz/animation/runtime/sampling_job.h"
#include "ozz/animation/runtime/skeleton.h"
#include "ozz/base/maths/simd_math.h"
#include "ozz/base/maths/soa_transform.h"
#include "ozz/base/span.h"

namespace {

using ozz::animation::offline::RawAnimation;
using ozz::animation::offline::RawSkeleton;

[[noreturn]] void Stop(const std::string& why) {
  std::cerr << why << "\n";
  std::exit(1);
}

// What the benchmark left: parents, and for each joint its keys.
struct Clip {
  float duration = 0.f;
  std::vector<int> parents;
  std::vector<RawAnimation::JointTrack> tracks;
};

Clip Read(const char* path) {
  std::ifstream file(path);
  Clip clip;
  std::string word;
  size_t joints = 0;
  if (!(file >> word >> joints) || word != "joints") Stop(std::string("no clip: ") + path);
  file >> word >> clip.duration >> word;
  clip.parents.resize(joints);
  clip.tracks.resize(joints);
  for (int& parent : clip.parents) file >> parent;
  size_t joint = 0, keys = 0;
  while (file >> word >> joint >> keys) {
    if (joint >= joints) Stop("no such joint");
    RawAnimation::JointTrack& track = clip.tracks[joint];
    for (size_t i = 0; i < keys; ++i) {
      float time = 0.f, x = 0.f, y = 0.f, z = 0.f, w = 0.f;
      file >> time >> x >> y >> z;
      time = std::min(time, clip.duration);
      if (word == "rotation") {
        file >> w;
        track.rotations.push_back({time, ozz::math::Quaternion(x, y, z, w)});
      } else if (word == "translation") {
        track.translations.push_back({time, ozz::math::Float3(x, y, z)});
      } else {
        track.scales.push_back({time, ozz::math::Float3(x, y, z)});
      }
    }
  }
  if (!file.eof()) Stop(std::string("cannot be read: ") + path);
  return clip;
}

// A joint and everything that hangs on it, named after its number.
RawSkeleton::Joint Joint(const Clip& clip, int joint) {
  RawSkeleton::Joint made;
  made.name = std::to_string(joint);
  made.transform = ozz::math::Transform::identity();
  for (size_t i = 0; i < clip.parents.size(); ++i) {
    if (clip.parents[i] == joint) made.children.push_back(Joint(clip, static_cast<int>(i)));
  }
  return made;
}

// The least of many rounds, in nanoseconds for a joint.
template <typename Act>
double Measure(const std::vector<float>& times, size_t joints, Act act) {
  double best = 1e30;
  for (int round = 0; round < 120; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (float time : times) act(time);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best / static_cast<double>(times.size() * joints);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) Stop("poses CLIP");
  const Clip clip = Read(argv[1]);
  const size_t joints = clip.parents.size();

  RawSkeleton raw_skeleton;
  for (size_t i = 0; i < joints; ++i) {
    if (clip.parents[i] < 0) raw_skeleton.roots.push_back(Joint(clip, static_cast<int>(i)));
  }
  const auto skeleton = ozz::animation::offline::SkeletonBuilder()(raw_skeleton);
  if (!skeleton) Stop("no skeleton");

  // ozz has its own order of joints.
  RawAnimation raw;
  raw.duration = clip.duration;
  for (const char* name : skeleton->joint_names()) raw.tracks.push_back(clip.tracks[std::atoi(name)]);
  const auto animation = ozz::animation::offline::AnimationBuilder()(raw);
  if (!animation) Stop("no animation");

  ozz::animation::SamplingJob::Context context(static_cast<int>(joints));
  std::vector<ozz::math::SoaTransform> locals(skeleton->num_soa_joints());
  std::vector<ozz::math::Float4x4> models(joints);
  const auto sample = [&](float time) {
    ozz::animation::SamplingJob job;
    job.animation = animation.get();
    job.context = &context;
    job.ratio = time / clip.duration;
    job.output = ozz::make_span(locals);
    if (!job.Run()) Stop("sampling failed");
  };
  const auto whole = [&](float time) {
    sample(time);
    ozz::animation::LocalToModelJob job;
    job.skeleton = skeleton.get();
    job.input = ozz::make_span(locals);
    job.output = ozz::make_span(models);
    if (!job.Run()) Stop("placing failed");
  };

  const size_t count = 480;
  std::vector<float> forwards, scattered;
  uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < count; ++i) {
    forwards.push_back(static_cast<float>(i) / static_cast<float>(count) * clip.duration);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    scattered.push_back(static_cast<float>(state >> 40) / static_cast<float>(1 << 24) * clip.duration);
  }
  std::cout << argv[1] << ", ns a joint\n"
            << "sequential: local " << Measure(forwards, joints, sample) << ", whole "
            << Measure(forwards, joints, whole) << "\n"
            << "random: local " << Measure(scattered, joints, sample) << ", whole "
            << Measure(scattered, joints, whole) << "\n";
}
