//! Which addresses are on the public web.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A network, such as `10.0.0.0/8` or `fd00::/8`; an address alone is a network of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// The text is no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no network: write 10.0.0.0/8, fd00::/8 or one address")]
pub struct NetworkFault(String);

impl Network {
    /// The addresses that share the first `prefix` bits of `address`. A prefix longer than the address is its length.
    pub fn new(address: IpAddr, prefix: u8) -> Self {
        let longest = if address.is_ipv4() { 32 } else { 128 };
        Self {
            address,
            prefix: prefix.min(longest),
        }
    }

    /// Whether `address` belongs to it. A v4 address mapped into v6 counts as the v4 address.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => same(own.to_bits().into(), other.to_bits().into(), 32, self.prefix),
            (IpAddr::V6(own), IpAddr::V6(other)) => same(own.to_bits(), other.to_bits(), 128, self.prefix),
            _ => false,
        }
    }
}

/// Whether two addresses of `length` bits share the first `prefix`.
fn same(one: u128, other: u128, length: u32, prefix: u8) -> bool {
    let apart = length - u32::from(prefix).min(length);
    (one ^ other).checked_shr(apart).unwrap_or(0) == 0
}

impl FromStr for Network {
    type Err = NetworkFault;

    fn from_str(text: &str) -> Result<Self, NetworkFault> {
        let fault = || NetworkFault(text.to_owned());
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix.parse().map_err(|_| fault())?)),
            None => (text, None),
        };
        let network = Self::new(address.parse().map_err(|_| fault())?, prefix.unwrap_or(u8::MAX));
        match prefix {
            Some(prefix) if prefix != network.prefix => Err(fault()),
            _ => Ok(network),
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// Networks of version 4 that are not the public web: the registry of special-purpose addresses, and the address under
/// which one cloud talks to its machines.
const SPECIAL_V4: [([u8; 4], u8); 17] = [
    ([0, 0, 0, 0], 8),        // this network
    ([10, 0, 0, 0], 8),       // private
    ([100, 64, 0, 0], 10),    // shared with a carrier; clouds keep metadata there too
    ([127, 0, 0, 0], 8),      // this machine
    ([168, 63, 129, 16], 32), // a cloud's platform
    ([169, 254, 0, 0], 16),   // link-local; most clouds' metadata
    ([172, 16, 0, 0], 12),    // private
    ([192, 0, 0, 0], 24),     // protocol assignments
    ([192, 0, 2, 0], 24),     // documentation
    ([192, 31, 196, 0], 24),  // AS112
    ([192, 52, 193, 0], 24),  // AMT
    ([192, 88, 99, 0], 24),   // 6to4 relays
    ([192, 168, 0, 0], 16),   // private
    ([198, 18, 0, 0], 15),    // measurements
    ([198, 51, 100, 0], 24),  // documentation
    ([203, 0, 113, 0], 24),   // documentation
    ([224, 0, 0, 0], 3),      // multicast, reserved, broadcast
];

/// Whether `address` is one of the public web.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let address = IpAddr::V4(address);
    !SPECIAL_V4
        .iter()
        .any(|(network, prefix)| Network::new(IpAddr::from(*network), *prefix).contains(address))
}

/// Of version 6 only global unicast (2000::/3) is public, less what it holds of special networks; and what stands for
/// a public address of version 4.
fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // Mapped, and translated by the carrier (NAT64): the address within counts.
        [0, 0, 0, 0, 0, 0xffff, _, _] | [0x64, 0xff9b, 0, 0, 0, 0, _, _] => is_public_v4(last_four(address)),
        // Protocol assignments with Teredo; documentation; 6to4.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

fn last_four(address: Ipv6Addr) -> Ipv4Addr {
    let [.., a, b, c, d] = address.octets();
    Ipv4Addr::new(a, b, c, d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_public_web_is_public() {
        for (address, public) in [
            ("1.1.1.1", true),
            ("8.8.8.8", true),
            ("172.15.255.255", true),
            ("172.32.0.0", true),
            ("100.63.255.255", true),
            ("100.128.0.0", true),
            ("223.255.255.255", true),
            ("0.0.0.0", false),
            ("0.1.2.3", false),
            ("10.1.2.3", false),
            ("100.64.0.1", false),
            ("100.100.100.200", false),
            ("127.0.0.1", false),
            ("127.255.255.254", false),
            ("168.63.129.16", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.0.0.1", false),
            ("192.0.2.1", false),
            ("192.88.99.1", false),
            ("192.168.1.1", false),
            ("198.18.0.1", false),
            ("198.19.255.255", false),
            ("203.0.113.9", false),
            ("224.0.0.1", false),
            ("239.255.255.250", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("2606:4700:4700::1111", true),
            ("2400:3200::1", true),
            ("::ffff:8.8.8.8", true),
            ("64:ff9b::8.8.8.8", true),
            ("::", false),
            ("::1", false),
            ("::7f00:1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:10.0.0.1", false),
            ("::ffff:169.254.169.254", false),
            ("64:ff9b::10.0.0.1", false),
            ("64:ff9b::a9fe:a9fe", false),
            ("64:ff9b:1::808:808", false),
            ("100::1", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::", false),
            ("2002:808:808::1", false),
            ("3fff::1", false),
            ("5f00::1", false),
            ("fc00::1", false),
            ("fd00:ec2::254", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
    }

    #[test]
    fn networks_are_read_and_hold_what_they_say() {
        for (network, address, holds) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true),
            ("192.168.1.5", "192.168.1.5", true),
            ("192.168.1.5", "192.168.1.6", false),
            ("0.0.0.0/0", "8.8.8.8", true),
            ("0.0.0.0/0", "::1", false),
            ("fd00::/8", "fd12::1", true),
            ("fd00::/8", "fe80::1", false),
            ("::1", "::1", true),
            ("::/0", "2001:db8::1", true),
        ] {
            let network: Network = network.parse().unwrap();
            assert_eq!(network.contains(address.parse().unwrap()), holds, "{network} {address}");
        }
        for bad in [
            "",
            "10.0.0.0/33",
            "10.0.0.0/255",
            "::1/129",
            "10.0.0/8",
            "lan",
            "10.0.0.0/x",
        ] {
            assert!(bad.parse::<Network>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn however_a_v4_address_is_written_the_answer_is_the_same(bits: u32) {
            let v4 = Ipv4Addr::from_bits(bits);
            let public = is_public(v4.into());
            prop_assert_eq!(is_public(v4.to_ipv6_mapped().into()), public);
            let [a, b, c, d] = v4.octets().map(u16::from);
            let translated = Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, a << 8 | b, c << 8 | d);
            prop_assert_eq!(is_public(translated.into()), public);
            // The standard library knows most of the registry.
            if v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_multicast() || v4.is_documentation() {
                prop_assert!(!public);
            }
        }
    }
}
