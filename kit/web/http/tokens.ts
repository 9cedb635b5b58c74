import { webSettings } from '../base/settings.ts'
import { removeStoredValue, setStoredValue, getStoredValue, getStoredRecord } from '../base/storage.ts'

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

/** The pair of tokens, stored in local storage with the time they were issued, and in cookies. */
export const tokenStorage = {
  access: () => getStoredValue<string>('token') || cookie(webSettings.accessCookie),
  refresh: () => getStoredValue<string>('refreshToken') || cookie(webSettings.refreshCookie),
  /** Returns the age of the access token in seconds; Infinity if unknown. */
  age: () => {
    const record = getStoredRecord('token')
    return record ? (Date.now() - record.datetime) / 1000 : Infinity
  },
  set: (access: string, refresh: string) => {
    setStoredValue('refreshToken', refresh)
    setStoredValue('token', access)
    setCookie(webSettings.accessCookie, access)
    setCookie(webSettings.refreshCookie, refresh)
  },
  clear: () => {
    removeStoredValue('token')
    removeStoredValue('refreshToken')
    clearCookie(webSettings.accessCookie)
    clearCookie(webSettings.refreshCookie)
  },
}
