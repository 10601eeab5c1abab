//! How owners and holders are written in keys: readable, and never two alike.

#[cfg(feature = "redb")]
use incar_core::Holder;
use incar_core::{Owner, Seat};

/// Seats' names have no NUL; the car is all that follows the first.
pub(crate) fn of_owner(owner: &Owner) -> String {
    format!("{}\0{}", owner.seat, owner.car)
}

/// `None` where no owner is written so.
pub(crate) fn owner_of(key: &str) -> Option<Owner> {
    let (seat, car) = key.split_once('\0')?;
    Some(Owner {
        car: car.into(),
        seat: Seat::from_name(seat)?,
    })
}

/// A person's key says how long the car's name is; no seat is named `person:…`.
#[cfg(feature = "redb")]
pub(crate) fn of_holder(holder: &Holder) -> String {
    match holder {
        Holder::Person { car, person } => format!("person:{}\0{car}{person}", car.len()),
        Holder::Seat(owner) => of_owner(owner),
    }
}

#[cfg(all(test, feature = "redb"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_owner() -> impl Strategy<Value = Owner> {
        let seat = prop::sample::select(&Seat::ALL[..]);
        ("[a\0:1/]{0,4}|driver\0|.{0,3}", seat).prop_map(|(car, seat)| Owner { car: car.into(), seat })
    }

    fn any_holder() -> impl Strategy<Value = Holder> {
        prop_oneof![
            any_owner().prop_map(Holder::Seat),
            (any_owner(), "[a\0:1/]{0,4}|driver\0").prop_map(|(owner, person)| Holder::Person {
                car: owner.car,
                person: person.into(),
            }),
        ]
    }

    proptest! {
        #[test]
        fn an_owner_is_read_as_it_was_written(owner in any_owner()) {
            prop_assert_eq!(owner_of(&of_owner(&owner)), Some(owner));
        }

        #[test]
        fn no_two_holders_have_one_key(a in any_holder(), b in any_holder()) {
            prop_assert_eq!(a == b, of_holder(&a) == of_holder(&b));
        }
    }

    #[test]
    fn what_is_no_owner_is_none() {
        for key in ["", "driver", "nobody\0car", "person:3\0carx"] {
            assert_eq!(owner_of(key), None, "{key:?}");
        }
    }
}
