/** Writes files of `deployments/`: whole or not at all, also when the process or the machine stops meanwhile. */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from './manifest.ts'

/** The content of `deployments/<chainId>.json`. */
export function manifestText(manifest: Manifest): string {
  return jsonText(manifest)
}

export function writeManifest(folder: string, manifest: Manifest): void {
  replaceFile(join(folder, `${manifest.chainId}.json`), manifestText(manifest))
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Writes a file, or replaces it. */
export function replaceFile(file: string, text: string): void {
  const temporary = writeTemporary(file, text)
  renameSync(temporary, file)
  syncFolder(file)
}

/** Writes a new file. @throws Error with code `EEXIST` if there is one */
export function createFile(file: string, text: string): void {
  const temporary = writeTemporary(file, text)
  try {
    linkSync(temporary, file)
    syncFolder(file)
  } finally {
    rmSync(temporary)
  }
}

function writeTemporary(file: string, text: string): string {
  const temporary = `${file}.${process.pid}.tmp`
  const descriptor = openSync(temporary, 'w')
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return temporary
}

/** Makes the name of a file as durable as its content. */
function syncFolder(file: string): void {
  const descriptor = openSync(join(file, '..'), 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
