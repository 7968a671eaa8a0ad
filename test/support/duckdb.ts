/** DuckDB: an SQL engine that reads CSV files itself, and shares no code with the project. */
import { DuckDBInstance } from '@duckdb/node-api'

/**
 * Opens a database in memory that reads the files of one folder and nothing else: no other file, and no extension,
 * which DuckDB by default downloads.
 */
export async function openDuckDb(folder: string) {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  await connection.run(`set allowed_directories = ['${folder}']`)
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
  return {
    /** Reads rows. Integers of more than 32 bits are texts. */
    query: async (text: string, values: Record<string, string> = {}) =>
      (await connection.runAndReadAll(text, values)).getRowObjectsJson(),
    close: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
