/** All faults, by the part of the project that they are planted in. */
import type { PlantedFault } from '../fault.ts'
import { auditorFaults } from './auditor.ts'
import { authFaults } from './auth.ts'
import { chainFaults } from './chain.ts'
import { clientFaults } from './client.ts'
import { contractsFaults } from './contracts.ts'
import { deployFaults } from './deploy.ts'
import { domainFaults } from './domain.ts'
import { figuresFaults } from './figures.ts'
import { graphqlFaults } from './graphql.ts'
import { hooksFaults } from './hooks.ts'
import { indexerFaults } from './indexer.ts'
import { intentsFaults } from './intents.ts'
import { limitsFaults } from './limits.ts'
import { oneStatementFaults } from './one-statement.ts'
import { operationFaults } from './operation.ts'
import { optimizerFaults } from './optimizer.ts'
import { pastFaults } from './past.ts'
import { projectionFaults } from './projection.ts'
import { restFaults } from './rest.ts'
import { statementFaults } from './statements.ts'
import { walletFaults } from './wallet.ts'

/** @throws Error for a name that two faults have */
export const plantedFaults: readonly PlantedFault[] = requireUniqueNames([
  ...domainFaults,
  ...operationFaults,
  ...optimizerFaults,
  ...authFaults,
  ...intentsFaults,
  ...chainFaults,
  ...projectionFaults,
  ...pastFaults,
  ...graphqlFaults,
  ...oneStatementFaults,
  ...restFaults,
  ...statementFaults,
  ...indexerFaults,
  ...auditorFaults,
  ...contractsFaults,
  ...clientFaults,
  ...hooksFaults,
  ...deployFaults,
  ...limitsFaults,
  ...figuresFaults,
  ...walletFaults,
])

function requireUniqueNames(faults: readonly PlantedFault[]): readonly PlantedFault[] {
  const [twice] = [...Map.groupBy(faults, ({ name }) => name).values()].filter(({ length }) => length > 1)
  if (twice) throw new Error(`Two planted faults have the name "${twice[0]?.name}"`)
  return faults
}
