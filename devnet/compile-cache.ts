/**
 * Where Node keeps compiled code between two starts: beside the code, where only users who may change the code can
 * write.
 */
import { join } from 'node:path'

export const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/node-compile')
