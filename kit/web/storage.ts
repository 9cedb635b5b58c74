import { webSettings } from './settings.ts'

/** How one value lies in the browser's storage. A record with a type lives in session storage. */
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

/** Values as they lie in local storage, written now: for the storage of another browser. */
export const toStoredRecords = (values: Record<string, unknown>): { name: string; value: string }[] =>
  Object.entries(values).map(([name, content]) => ({ name: key(name), value: recordText(content) }))

/** Stores a value: in session storage when a type is given, otherwise in local storage. */
export function setStoredValue(name: string, content: unknown, type?: string) {
  const area = type ? sessionStorage : localStorage
  try {
    area.setItem(key(name), recordText(content, type))
  } catch {
    // A full or forbidden storage must not stop the work on screen; the value is simply not remembered.
  }
}

/** The whole record under a name, session storage first, or undefined. */
export function getStoredRecord(name: string): StoredRecord | undefined {
  for (const area of areas()) {
    const text = area.getItem(key(name))
    if (text === null) continue
    try {
      const record = JSON.parse(text) as StoredRecord
      if (record && typeof record === 'object' && 'dataType' in record) return record
    } catch {
      // Not ours, or damaged: as good as absent.
    }
  }
  return undefined
}

/** The value under a name, session storage first, or undefined. */
export function getStoredValue<T>(name: string): T | undefined {
  return getStoredRecord(name)?.content as T | undefined
}

/** Removes a value: from session storage when a type is given, otherwise from local storage. */
export function removeStoredValue(name: string, type?: string) {
  ;(type ? sessionStorage : localStorage).removeItem(key(name))
}

/** Removes every value of this product from both storages, except the names given. */
export function clearStoredValues(except: string[] = []) {
  const spared = new Set(except.map(key))
  for (const area of areas()) {
    for (const name of Object.keys(area)) {
      if (name.startsWith(webSettings.storagePrefix) && !spared.has(name)) area.removeItem(name)
    }
  }
}

/** Calls back when another tab of the browser changes a name in local storage. */
export function onStorageChangeInOtherTab(name: string, changed: () => void) {
  const listen = (event: StorageEvent) => {
    if (event.key === key(name)) changed()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
