import { webSettings } from './settings.ts'

/** Format of a value in the browser's storage. Records with a `type` are in session storage. */
export type StoredRecord = {
  dataType: string
  content: unknown
  type: string | undefined
  datetime: number
}

const key = (name: string) => webSettings.storagePrefix + name
const recordText = (content: unknown, type?: string) =>
  JSON.stringify({ dataType: typeof content, content, type, datetime: Date.now() } satisfies StoredRecord)
const areas = () => [globalThis.sessionStorage, globalThis.localStorage].filter(Boolean)

/** Returns values in the format of local storage, to fill the storage of another browser (tests). */
export const toStoredRecords = (values: Record<string, unknown>): { name: string; value: string }[] =>
  Object.entries(values).map(([name, content]) => ({ name: key(name), value: recordText(content) }))

/** Stores a value: in session storage when a type is given, otherwise in local storage. */
export function setStoredValue(name: string, content: unknown, type?: string) {
  const area = type ? sessionStorage : localStorage
  try {
    area.setItem(key(name), recordText(content, type))
  } catch {
    // If the storage is full or forbidden, the value is not remembered and the screen works on.
  }
}

/** Returns the record under a name, from session storage first; undefined without one. */
export function getStoredRecord(name: string): StoredRecord | undefined {
  for (const area of areas()) {
    const text = area.getItem(key(name))
    if (text === null) continue
    try {
      const record = JSON.parse(text) as StoredRecord
      if (record && typeof record === 'object' && 'dataType' in record) return record
    } catch {
      // Not written by us or damaged: treated as missing.
    }
  }
  return undefined
}

/** Returns the value under a name, from session storage first; undefined without one. */
export function getStoredValue<T>(name: string): T | undefined {
  return getStoredRecord(name)?.content as T | undefined
}

/** Removes a value: from session storage when a type is given, otherwise from local storage. */
export function removeStoredValue(name: string, type?: string) {
  ;(type ? sessionStorage : localStorage).removeItem(key(name))
}

/** Removes all values of this product from both storages, except the given names. */
export function clearStoredValues(except: string[] = []) {
  const spared = new Set(except.map(key))
  for (const area of areas()) {
    for (const name of Object.keys(area)) {
      if (name.startsWith(webSettings.storagePrefix) && !spared.has(name)) area.removeItem(name)
    }
  }
}

/** Calls back when another tab of the browser changes a value in local storage. Returns a function to stop. */
export function onStorageChangeInOtherTab(name: string, changed: () => void) {
  const listen = (event: StorageEvent) => {
    if (event.key === key(name)) changed()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
