/** All settings, by the process that reads them. */
import { auditorGroup, auditorSettings } from './auditor.ts'
import { deployGroup, deploySettings } from './deploy.ts'
import { gatewayGroups, gatewaySettings } from './gateway/index.ts'
import { indexerGroup, indexerSettings } from './indexer.ts'
import type { Group } from './setting.ts'
import { shared } from './shared.ts'
import { snapshotGroup, snapshotSettings } from './snapshot.ts'

export const processes = {
  gateway: gatewaySettings.shape,
  indexer: indexerSettings.shape,
  auditor: auditorSettings.shape,
  snapshot: snapshotSettings.shape,
  deploy: deploySettings.shape,
} satisfies { readonly [process: string]: Group }

/** The sections of docs/settings.md. */
export const sections: readonly (readonly [title: string, group: Group])[] = [
  ['Several processes', shared],
  ...Object.entries(gatewayGroups).map(
    ([title, group]) => [`Gateway: ${title.toLowerCase()}`, group] as const,
  ),
  ['Indexer', indexerGroup],
  ['Auditor', auditorGroup],
  ['Snapshots', snapshotGroup],
  ['Deployment', deployGroup],
]

export const names: ReadonlySet<string> = new Set(
  Object.values(processes).flatMap((shape) => Object.keys(shape)),
)
