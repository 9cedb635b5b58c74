import { freshBrowser } from './testing/browser.ts'
import { beforeEach, expect, test } from 'vitest'
import { settings } from './settings.ts'
import { removeStored, clearStored, setStored, getStored, storedRecordOf } from './storage.ts'

const key = `${settings.storagePrefix}theme`

beforeEach(freshBrowser)

test('a value without a type goes to local storage under the prefix, with its kind and time', () => {
  setStored('theme', 'dark')
  expect(JSON.parse(localStorage.getItem(key) as string)).toMatchObject({ dataType: 'string', content: 'dark' })
  expect(storedRecordOf('theme')?.datetime).toBeGreaterThan(Date.now() - 1000)
  expect(sessionStorage.getItem(key)).toBeNull()
})

test('a value with a type goes to session storage and not to local storage', () => {
  setStored('theme', 'dark', 'session')
  expect(sessionStorage.getItem(key)).not.toBeNull()
  expect(localStorage.getItem(key)).toBeNull()
})

test('session storage is read before local storage', () => {
  setStored('theme', 'local')
  setStored('theme', 'session', 'session')
  expect(getStored('theme')).toBe('session')
  removeStored('theme', 'session')
  expect(getStored('theme')).toBe('local')
})

test('numbers, booleans and objects come back as what they were', () => {
  for (const value of [0, 12.5, false, true, { a: [1] }, ['x'], '']) {
    setStored('theme', value)
    expect(getStored('theme')).toEqual(value)
  }
})

test('what somebody else wrote under the name is as good as absent', () => {
  localStorage.setItem(key, '{broken')
  expect(getStored('theme')).toBeUndefined()
})

test('forgetting everything leaves strangers and the spared alone', () => {
  localStorage.setItem('stranger', '1')
  setStored('theme', 'dark')
  setStored('token', 't')
  clearStored(['token'])
  expect(getStored('theme')).toBeUndefined()
  expect(getStored('token')).toBe('t')
  expect(localStorage.getItem('stranger')).toBe('1')
})
