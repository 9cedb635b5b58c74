import type { Readable } from 'node:stream'

export type FileFacts = { contentType: string; size: number; modifiedAt: Date }
type StoredFile = FileFacts & { stream: Readable }
export type FileBody = Uint8Array | Readable

/** A store for files. Keys look like paths ("100001/upload/20260301/….jpg"); any other form is an error. */
export type FileStore = {
  /** Creates the folder or bucket if needed, which also proves that the settings are right. */
  prepare(): Promise<void>
  /** Stores a file atomically; replaces an existing one. */
  put(key: string, body: FileBody, options: { contentType: string }): Promise<void>
  get(key: string): Promise<StoredFile | undefined>
  stat(key: string): Promise<FileFacts | undefined>
  /** Removes a file; a missing one is no error. */
  remove(key: string): Promise<void>
  list(prefix: string): Promise<string[]>
  /** Removes all files below a folder and returns their number. */
  clear(folder: string): Promise<number>
  /** Throws when the store cannot be used. */
  ping(): Promise<void>
}

const keyShape = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/
const keyLengthMax = 400

/**
 * Returns the key; throws if it is malformed. Keys are made from ids by the server, so a malformed one is an attempted
 * path trick.
 */
export function requireFileKey(key: string): string {
  if (key.length > keyLengthMax || !keyShape.test(key)) throw new Error(`"${key.slice(0, 80)}" is no file key`)
  return key
}
