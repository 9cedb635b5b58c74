import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defineCall, f, objectSchema, textSchema } from '../../resource/index.ts'
import { callApi } from './call.ts'
import { freshBrowser } from '#tests/support/fresh-browser.ts'

const label = { zh: '名称', en: 'Name' }
const named = objectSchema({ name: textSchema })
const input = { ids: f.refs('good', { label, required: true }), note: f.text({ label }) }
const requests: { method?: string; url: string; body?: unknown }[] = []

beforeEach(() => {
  freshBrowser()
  requests.length = 0
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    requests.push({ method, url, body: body && (JSON.parse(body as string) as unknown) })
    return Response.json({ code: 200, success: true, data: { name: 'Wu' } })
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('a declared GET sends its parameters in the address and none that are empty', async () => {
  const call = defineCall({ method: 'GET', path: '/api/t/one', input, answer: named })
  expect(await callApi(call, { ids: ['1', '2'], note: null })).toEqual({ name: 'Wu' })
  expect(requests).toEqual([{ method: 'GET', url: '/api/t/one?ids=1%2C2', body: undefined }])
})

test('a declared POST sends its parameters in the body, where no log of addresses keeps them', async () => {
  const call = defineCall({ method: 'POST', path: '/api/t/one', input, answer: named })
  await callApi(call, { ids: '1', note: 'x' })
  expect(requests).toEqual([{ method: 'POST', url: '/api/t/one', body: { ids: '1', note: 'x' } }])
})

test('a parameter of the path stands in the path alone, and cannot leave its place', async () => {
  const call = defineCall({ method: 'POST', path: '/api/t/:key/open', answer: named })
  await callApi(call, { key: '../a?b' })
  expect(requests).toEqual([{ method: 'POST', url: '/api/t/..%2Fa%3Fb/open', body: undefined }])
})
