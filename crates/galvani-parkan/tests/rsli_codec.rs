//! Every method of RsLi beside a plain reference, and LZHUF beside somebody else's decoder of LHA's first method, which
//! is the same.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/rsli_reference.rs"]
#[allow(unreachable_pub, dead_code, reason = "shared by tests")]
mod reference;

use delharc::decode::{Decoder, Lh1Decoder};
use galvani_parkan::rsli::Method;
use galvani_parkan::rsli::codec::{Failure, pack, unpack};
use galvani_testkit::Dice;
use proptest::prelude::*;

/// Contents of several kinds: noise, runs, text, pictures.
fn contents() -> Vec<Vec<u8>> {
    let mut dice = Dice(7);
    let text = "the quick brown fox jumps over the lazy dog and comes back to do it all over again. ";
    let mut picture = Vec::new();
    for y in 0..128_u16 {
        for x in 0..128_u16 {
            picture.extend((((x / 8) ^ (y / 8)) * 0x1111).to_le_bytes());
        }
    }
    vec![
        vec![],
        vec![0],
        b"   ".to_vec(),
        vec![b' '; 5000],
        vec![7; 70_000],
        text.repeat(300).into_bytes(),
        (0..20_000).map(|_| dice.byte()).collect(),
        (0..20_000).map(|_| dice.byte() % 3).collect(),
        (0..100_000_u32).map(|i| (i / 7).to_le_bytes()[0]).collect(),
        picture,
    ]
}

#[test]
fn what_is_packed_unpacks_here_and_there() {
    for content in contents() {
        for method in Method::ALL {
            let packed = pack(method, 0xabcd, &content).unwrap();
            let unpacked = unpack(method, 0xabcd, &packed, content.len()).unwrap();
            assert!(unpacked.bytes == content, "{method} of {} bytes", content.len());
            assert_eq!(
                unpacked.used,
                if content.is_empty() && method != Method::Deflate { 0 } else { packed.len() }
            );
            let there = reference::unpacked(method.bits(), 0xabcd, &packed, content.len());
            assert!(
                there.as_ref() == Some(&content),
                "{method} of {} bytes, by the reference",
                content.len()
            );
        }
    }
}

#[test]
fn lzhuf_is_what_others_unpack() {
    for content in contents() {
        let packed = pack(Method::Lzhuf, 0, &content).unwrap();
        let mut made = vec![0; content.len()];
        Lh1Decoder::new(packed.as_slice()).fill_buffer(&mut made).unwrap();
        assert!(made == content, "{} bytes", content.len());
    }
}

#[test]
fn content_that_repeats_is_packed_shorter() {
    for content in contents().into_iter().filter(|content| content.len() > 1000) {
        let mut dice = Dice(7);
        let is_noise = content.iter().take(8).all(|&byte| byte == dice.byte());
        for method in [Method::Lzss, Method::Lzhuf, Method::Deflate] {
            let packed = pack(method, 0, &content).unwrap().len();
            assert!(is_noise || packed * 3 < content.len() * 2, "{method}: {packed} of {}", content.len());
            assert!(packed <= content.len() * 9 / 8 + 16, "{method}: {packed} of {}", content.len());
        }
    }
}

/// docs/formats/rsli.md#lzss.
#[test]
fn the_vector_of_the_page_comes_out() {
    let packed = [0x07, 0x41, 0x42, 0x43, 0xee, 0xf3, 0x00, 0x00];
    let unpacked = unpack(Method::Lzss, 0, &packed, 12).unwrap();
    assert_eq!((unpacked.bytes.as_slice(), unpacked.used), (&b"ABCABCABC   "[..], 8));
    // A match is cut where the content ends.
    assert_eq!(unpack(Method::Lzss, 0, &packed, 5).unwrap().bytes, b"ABCAB");
    assert_eq!(unpack(Method::Lzss, 0, &packed, 13), Err(Failure::Short { made: 12 }));
}

#[test]
fn no_more_is_made_than_was_asked_for() {
    let content = vec![7; 50_000];
    for method in [Method::Lzss, Method::Lzhuf, Method::XorLzss, Method::XorLzhuf] {
        let packed = pack(method, 9, &content).unwrap();
        assert_eq!(unpack(method, 9, &packed, 49_999).unwrap().bytes.len(), 49_999);
        let Err(Failure::Short { made }) = unpack(method, 9, &packed, usize::MAX) else { panic!("{method}") };
        assert!((50_000..50_200).contains(&made), "{method}: {made}");
    }
    let packed = pack(Method::Deflate, 9, &content).unwrap();
    assert_eq!(unpack(Method::Deflate, 9, &packed, 49_999), Err(Failure::Long));
    assert_eq!(unpack(Method::Deflate, 9, &packed, usize::MAX), Err(Failure::Short { made: 50_000 }));
    assert_eq!(unpack(Method::Deflate, 9, &[7, 0], 5), Err(Failure::Corrupt { made: 0 }));
    for method in [Method::Stored, Method::Xor] {
        assert_eq!(unpack(method, 9, &[1, 2], 1), Err(Failure::Long));
        assert_eq!(unpack(method, 9, &[1, 2], 3), Err(Failure::Short { made: 2 }));
    }
}

#[test]
fn a_tiny_payload_that_promises_gigabytes_allocates_next_to_nothing() {
    for method in [Method::Lzss, Method::Lzhuf, Method::Deflate] {
        let used = allocation_counter::measure(|| {
            unpack(method, 0, &[0xff; 16], 1 << 30).unwrap_err();
        });
        assert!(used.bytes_max < 1 << 20, "{method}: {} bytes", used.bytes_max);
    }
}

/// A tree that was rebuilt several times: more symbols than weigh 0x8000.
#[test]
fn a_tree_that_became_too_heavy_is_rebuilt_alike_everywhere() {
    let mut dice = Dice(3);
    let content: Vec<u8> =
        (0..120_000).map(|i| if i % 5 == 0 { dice.byte() } else { dice.byte() % 16 }).collect();
    let packed = pack(Method::Lzhuf, 0, &content).unwrap();
    assert!(reference::lzhuf(&packed, content.len()) == Some(content.clone()));
    let mut made = vec![0; content.len()];
    Lh1Decoder::new(packed.as_slice()).fill_buffer(&mut made).unwrap();
    assert!(made == content);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_content_comes_back(content in proptest::collection::vec(0..6_u8, 0..600), key in any::<u16>()) {
        for method in Method::ALL {
            let packed = pack(method, key, &content).unwrap();
            prop_assert_eq!(&unpack(method, key, &packed, content.len()).unwrap().bytes, &content);
            prop_assert_eq!(reference::unpacked(method.bits(), key, &packed, content.len()), Some(content.clone()));
        }
    }

    #[test]
    fn any_bytes_unpack_as_the_reference_unpacks_them(
        packed in proptest::collection::vec(any::<u8>(), 0..80),
        key in any::<u16>(),
        len in 0..400_usize,
    ) {
        for method in Method::ALL {
            let here = unpack(method, key, &packed, len).ok().map(|unpacked| unpacked.bytes);
            let there = reference::unpacked(method.bits(), key, &packed, len);
            prop_assert_eq!(here, there, "{}", method);
        }
    }
}
