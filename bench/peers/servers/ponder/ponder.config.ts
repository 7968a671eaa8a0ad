import config from '../../../../ponder.config.ts'

/** Ponder has two connections beside those that it reads with. */
const poolConfig = { max: Number(process.env.POOL) + 2 }

export default { ...config, database: { ...config.database, poolConfig } }
