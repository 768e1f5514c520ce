import { lazy } from 'react'

/** The person's passkeys and security keys, for the account page. */
export const OwnPasskeys = lazy(() => import('./own-passkeys.tsx').then((part) => ({ default: part.OwnPasskeys })))

/** Offers a passkey after a sign-in. Not needed for the first look at the launcher. */
export const OfferPasskey = lazy(() => import('./offer-passkey.tsx').then((part) => ({ default: part.OfferPasskey })))
