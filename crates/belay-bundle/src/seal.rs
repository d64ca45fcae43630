//! The signature of a bundle, and what its signed comment says.

use std::fmt;

use minisign_verify::{Error, Signature};

use crate::flaw::Flaw;
use crate::form::{self, Bundle, MOST_BYTES};
use crate::keys::Key;
use crate::time;

/// The most bytes of a signature: minisign's longest comments fit.
const MOST_SIGNATURE: usize = 24 << 10;

/// What the signed comment says: `serial=42 not_after=2027-01-31T23:59:59Z stages=base:enforce:100`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// The number of the bundle: a newer one has a greater one.
    pub serial: u64,
    /// The last second at which the bundle may come into force.
    pub not_after: u64,
    /// The stages of its rule sets.
    pub stages: String,
}

impl fmt::Display for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not_after = time::stamp(self.not_after);
        let Self { serial, stages, .. } = self;
        write!(f, "serial={serial} not_after={not_after} stages={stages}")
    }
}

impl Seal {
    /// Reads a comment that says exactly this, in this order and form.
    fn parse(comment: &str) -> Option<Self> {
        let mut words = comment.split(' ');
        let mut next = |name: &str| words.next()?.strip_prefix(name);
        let seal = Self {
            serial: next("serial=")?.parse().ok()?,
            not_after: time::parse(next("not_after=")?)?,
            stages: next("stages=")?.to_owned(),
        };
        // Whatever was read past, a second spelling among it, shows here.
        (seal.to_string() == comment).then_some(seal)
    }
}

/// A bundle and its signature, as they came.
#[derive(Clone, Copy, Debug)]
pub struct Parcel<'a> {
    /// The bundle.
    pub bundle: &'a [u8],
    /// The file that minisign wrote.
    pub signature: &'a [u8],
}

/// A bundle whose signature holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The bundle.
    pub bundle: Bundle,
    /// What its signature says.
    pub seal: Seal,
    /// How long the key that signed it may sign.
    pub signer_until: Option<u64>,
}

/// Opens a parcel whose signature one of the keys made. Whether its time is over is for the caller to ask: what is in force
/// stays so.
///
/// # Errors
/// When the signature does not hold, or anything in the bundle is not as it must be.
pub fn open(parcel: Parcel<'_>, keys: &[Key]) -> Result<Accepted, Flaw> {
    let Parcel { bundle, signature } = parcel;
    if bundle.len() > MOST_BYTES {
        return Err(Flaw::TooLarge);
    }
    let signature = decoded(signature)?;
    let signer_until = verified(bundle, &signature, keys)?;
    let comment = signature.trusted_comment();
    let seal = Seal::parse(comment).ok_or_else(|| Flaw::Comment(comment.to_owned()))?;
    let bundle = form::read(bundle)?;
    if bundle.stages() != seal.stages {
        return Err(Flaw::OtherStages);
    }
    Ok(Accepted {
        bundle,
        seal,
        signer_until,
    })
}

impl Accepted {
    /// Tells whether the bundle may come into force now, after another.
    ///
    /// # Errors
    /// When its time or its signer's is over, or it is older than the other.
    pub fn may_follow(&self, known: Option<&Self>, now: u64) -> Result<(), Flaw> {
        let serial = self.seal.serial;
        match known {
            Some(it) if it.seal.serial > serial => {
                let known = it.seal.serial;
                return Err(Flaw::GoesBack { serial, known });
            }
            Some(it) if it.seal.serial == serial && it.bundle != self.bundle => {
                return Err(Flaw::SameSerial(serial));
            }
            Some(_) | None => {}
        }
        if self.seal.not_after < now {
            return Err(Flaw::Expired(self.seal.not_after));
        }
        match self.signer_until.filter(|it| *it < now) {
            Some(until) => Err(Flaw::SignerExpired(until)),
            None => Ok(()),
        }
    }
}

fn decoded(signature: &[u8]) -> Result<Signature, Flaw> {
    let text = std::str::from_utf8(signature).map_err(|_| Flaw::NoSignature)?;
    let lines: Vec<&str> = text.lines().collect();
    // The comment is read from behind these words, so they must be there; and nothing may follow the signature.
    let whole = matches!(lines.as_slice(), [_, _, comment, _] if comment.starts_with(TRUSTED));
    if !whole || text.len() > MOST_SIGNATURE {
        return Err(Flaw::NoSignature);
    }
    Signature::decode(text).map_err(|_| Flaw::NoSignature)
}

const TRUSTED: &str = "trusted comment: ";

/// Returns how long the key that made the signature may sign.
fn verified(bytes: &[u8], signature: &Signature, keys: &[Key]) -> Result<Option<u64>, Flaw> {
    let mut flaw = Flaw::UnknownSigner;
    for key in keys {
        const LEGACY: bool = false;
        match key.key.verify(bytes, signature, LEGACY) {
            Ok(()) => return Ok(key.not_after),
            Err(Error::UnexpectedKeyId) => {}
            Err(Error::UnexpectedAlgorithm) => flaw = Flaw::Legacy,
            Err(_) => flaw = Flaw::Forged,
        }
    }
    Err(flaw)
}

/// Returns a bundle and its signature as one file, so that they are replaced together: the four lines of the signature, then
/// the bundle.
#[must_use]
pub fn to_store(parcel: Parcel<'_>) -> Vec<u8> {
    let signature = parcel.signature.trim_ascii_end();
    [signature, b"\n", parcel.bundle].concat()
}

/// Takes apart what was stored.
#[must_use]
pub fn stored(bytes: &[u8]) -> Option<Parcel<'_>> {
    let ends = bytes.iter().enumerate().filter(|(_, it)| **it == b'\n');
    let (end, _) = ends.take(4).nth(3)?;
    let (signature, bundle) = bytes.split_at_checked(end + 1)?;
    Some(Parcel { bundle, signature })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_read_strictly() {
        let good = "serial=42 not_after=2027-01-31T23:59:59Z stages=base:enforce:100";
        assert_eq!(Seal::parse(good).map(|it| it.serial), Some(42));
        for wrong in [
            "",
            "serial=42",
            "serial=42 not_after=2027-01-31T23:59:59Z",
            "not_after=2027-01-31T23:59:59Z serial=42 stages=base:enforce:100",
            "serial=+42 not_after=2027-01-31T23:59:59Z stages=base:enforce:100",
            "serial=042 not_after=2027-01-31T23:59:59Z stages=base:enforce:100",
            "serial=42 not_after=2027-01-31 stages=base:enforce:100",
            "serial=42  not_after=2027-01-31T23:59:59Z stages=base:enforce:100",
            "serial=42 not_after=2027-01-31T23:59:59Z stages=base:enforce:100 more=1",
            "serial=42 not_after=2027-01-31T23:59:59Z stages=base:enforce:100 ",
            "serial=99999999999999999999 not_after=2027-01-31T23:59:59Z stages=x",
        ] {
            assert_eq!(Seal::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_stored_comes_apart() {
        let parcel = Parcel {
            bundle: b"x = 1\n\ny = 2\n",
            signature: b"a\nb\nc\nd\n",
        };
        let bytes = to_store(parcel);
        let again = stored(&bytes).unwrap();
        assert_eq!(
            (again.bundle, again.signature),
            (parcel.bundle, parcel.signature)
        );
        assert!(stored(b"a\nb\nc\n").is_none());
    }
}
