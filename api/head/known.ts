/** Rows of the projection for the watch of the head. */
import { type OpenOne, readOpened } from '../projection/session/snapshot.ts'
import { readParties } from '../projection/tables/claim.ts'
import { readVaultAddresses } from '../projection/tables/vault.ts'
import type { KnownToProjection } from './read-view.ts'

export function knownTo(open: OpenOne): KnownToProjection {
  return {
    vaults: () => readOpened(open, readVaultAddresses),
    parties: (claimIds) => readOpened(open, (snapshot) => readParties(snapshot, claimIds)),
  }
}
