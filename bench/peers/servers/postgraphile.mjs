/** PostGraphile 5 with pg-aggregates over the tables of the projection, in production settings. */
import { createServer } from 'node:http'
import { PgAggregatesPreset } from '@graphile/pg-aggregates'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { jsonPgSmartTags } from 'postgraphile/utils'

const { DATABASE_URL, SCHEMA, POOL, PORT } = process.env

/** The tables have no foreign keys. */
const relations = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      [`${SCHEMA}.allocation`]: {
        tags: { foreignKey: ['(claim_id) references claim (id)', '(vault) references vault (address)'] },
      },
    },
  },
})

const instance = postgraphile({
  extends: [PostGraphileAmberPreset, PgAggregatesPreset],
  plugins: [relations],
  disablePlugins: ['MutationPlugin'],
  pgServices: [
    makePgService({ connectionString: DATABASE_URL, schemas: [SCHEMA], poolConfig: { max: Number(POOL) } }),
  ],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: { explain: false },
})
const server = createServer()
server.on('error', (error) => {
  console.error(error)
  process.exitCode = 1
})
await instance.createServ(grafserv).addTo(server)
server.listen(Number(PORT), '127.0.0.1')
