import { freshBrowser } from '#tests/support/fresh-browser.ts'
import { beforeEach, expect, test } from 'vitest'
import { webSettings } from './settings.ts'
import { removeStoredValue, clearStoredValues, setStoredValue, getStoredValue, getStoredRecord } from './storage.ts'

const key = `${webSettings.storagePrefix}theme`

beforeEach(freshBrowser)

test('a value without a type goes to local storage under the prefix, with its kind and time', () => {
  setStoredValue('theme', 'dark')
  expect(JSON.parse(localStorage.getItem(key) as string)).toMatchObject({ dataType: 'string', content: 'dark' })
  expect(getStoredRecord('theme')?.datetime).toBeGreaterThan(Date.now() - 1000)
  expect(sessionStorage.getItem(key)).toBeNull()
})

test('a value with a type goes to session storage and not to local storage', () => {
  setStoredValue('theme', 'dark', 'session')
  expect(sessionStorage.getItem(key)).not.toBeNull()
  expect(localStorage.getItem(key)).toBeNull()
})

test('session storage is read before local storage', () => {
  setStoredValue('theme', 'local')
  setStoredValue('theme', 'session', 'session')
  expect(getStoredValue('theme')).toBe('session')
  removeStoredValue('theme', 'session')
  expect(getStoredValue('theme')).toBe('local')
})

test('numbers, booleans and objects come back as what they were', () => {
  for (const value of [0, 12.5, false, true, { a: [1] }, ['x'], '']) {
    setStoredValue('theme', value)
    expect(getStoredValue('theme')).toEqual(value)
  }
})

test('what somebody else wrote under the name is as good as absent', () => {
  localStorage.setItem(key, '{broken')
  expect(getStoredValue('theme')).toBeUndefined()
})

test('forgetting everything leaves strangers and the spared alone', () => {
  localStorage.setItem('stranger', '1')
  setStoredValue('theme', 'dark')
  setStoredValue('token', 't')
  clearStoredValues(['token'])
  expect(getStoredValue('theme')).toBeUndefined()
  expect(getStoredValue('token')).toBe('t')
  expect(localStorage.getItem('stranger')).toBe('1')
})
