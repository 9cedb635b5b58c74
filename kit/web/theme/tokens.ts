import { settings } from '../settings.ts'
import { removeStored, setStored, getStored, storedRecordOf } from '../storage.ts'

const attributes = () => `; path=/; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`

function setCookie(name: string, value: string) {
  document.cookie = `${name}=${encodeURIComponent(value)}${attributes()}`
}

function cookie(name: string) {
  const pair = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`))
  return pair ? decodeURIComponent(pair.slice(name.length + 1)) : ''
}

function clearCookie(name: string) {
  document.cookie = `${name}=; max-age=0${attributes()}`
}

/** The pair of tokens: in local storage with the time they were issued, and in cookies. */
export const tokens = {
  access: () => getStored<string>('token') || cookie(settings.accessCookie),
  refresh: () => getStored<string>('refreshToken') || cookie(settings.refreshCookie),
  /** Seconds since the access token was issued; endless when nobody knows. */
  age: () => {
    const record = storedRecordOf('token')
    return record ? (Date.now() - record.datetime) / 1000 : Infinity
  },
  set: (access: string, refresh: string) => {
    setStored('refreshToken', refresh)
    setStored('token', access)
    setCookie(settings.accessCookie, access)
    setCookie(settings.refreshCookie, refresh)
  },
  clear: () => {
    removeStored('token')
    removeStored('refreshToken')
    clearCookie(settings.accessCookie)
    clearCookie(settings.refreshCookie)
  },
}
