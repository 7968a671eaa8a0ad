import type { PlantedFault } from '../fault.ts'

/** deploy/, and the publication of a version of the indexer. */
export const deployFaults: readonly PlantedFault[] = [
  {
    name: 'a deployment signs above the fee limit of its operator',
    in: 'readFees',
    find: 'roomy < limit ? roomy : limit',
    replace: 'roomy',
    caughtBy: ['deploy'],
  },
  {
    name: 'a transaction of a deployment is sent before its journal knows it',
    in: 'submit',
    area: 'deploy',
    find: 'recordSent(request.folder, journal, step, signed.hash)',
    replace: '',
    caughtBy: ['faults'],
  },
  {
    name: 'a deployment takes a transaction for confirmed one block early',
    in: 'confirmedBlock',
    find: 'number - (request.confirmations - 1)',
    replace: 'number - Math.max(0, request.confirmations - 2)',
    caughtBy: ['deploy'],
  },
  {
    name: 'two publications take place at once',
    in: 'lockVersions',
    find: 'await client.query(lock, [PROJECTION_SCHEMA])',
    replace: '',
    caughtBy: ['publish'],
  },
]
