import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asciiJson, isEleSignatureValid, computeEleSignature, eleTextToSign, type EleMessage } from './sign.ts'

const secret = 'demo-secret'
const shop = { shop_id: 'S-01', name: '一号店' }
const request: EleMessage = {
  cmd: 'shop.update',
  timestamp: '1700000000',
  version: '3',
  ticket: '6A1E7C3B-0F0D-4C64-9F51-0F3B1B8E2D10',
  source: '60001',
  encrypt: '',
  body: asciiJson(shop),
}

test('a request is signed as the platform signs it', () => {
  expect(eleTextToSign(request, secret)).toBe(
    [
      'body={"shop_id":"S-01","name":"\\u4e00\\u53f7\\u5e97"}',
      'cmd=shop.update',
      'encrypt=',
      'secret=demo-secret',
      'source=60001',
      'ticket=6A1E7C3B-0F0D-4C64-9F51-0F3B1B8E2D10',
      'timestamp=1700000000',
      'version=3',
    ].join('&'),
  )
  expect(computeEleSignature(request, secret)).toBe('0873F3B7999479E4BA3CBCD1FD78007E')
})

test('what is answered to a message is signed as the platform signs it', () => {
  const body = '{"errno":0,"error":"success","data":{"source_order_id":"E-9"}}'
  const answer = { ...request, cmd: 'resp.order.create', timestamp: '1700000001', body }
  expect(computeEleSignature(answer, secret)).toBe('782A5531CF126B8EFB73017F6663C784')
})

test('every field counts, and no other secret nor a cut signature is taken', () => {
  const sign = computeEleSignature(request, secret)
  expect(isEleSignatureValid(request, sign, secret)).toBe(true)
  expect(isEleSignatureValid(request, sign.toLowerCase(), secret)).toBe(true)
  expect(isEleSignatureValid(request, sign, 'other')).toBe(false)
  expect(isEleSignatureValid(request, sign.slice(1), secret)).toBe(false)
  expect(isEleSignatureValid(request, '', secret)).toBe(false)
  for (const name of Object.keys(request) as (keyof EleMessage)[])
    expect(isEleSignatureValid({ ...request, [name]: `${request[name]}1` }, sign, secret)).toBe(false)
  expect(isEleSignatureValid({ ...request, fields: 'shop_id|name' }, sign, secret)).toBe(false)
  expect(isEleSignatureValid({ ...request, access_token: 't' }, sign, secret)).toBe(false)
})

test('a body is signed as it came, with its slashes escaped or not, never as it would be written again', () => {
  const escaped = { ...request, body: '{"url":"https:\\/\\/img.example.com\\/1.png"}' }
  const plain = { ...request, body: '{"url":"https://img.example.com/1.png"}' }
  expect(JSON.parse(escaped.body)).toEqual(JSON.parse(plain.body))
  expect(isEleSignatureValid(escaped, computeEleSignature(escaped, secret), secret)).toBe(true)
  expect(isEleSignatureValid(plain, computeEleSignature(escaped, secret), secret)).toBe(false)
})

test('any value is written in ASCII and read back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = asciiJson(value)
      expect(text).toMatch(/^[\x20-\x7e]*$/)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
  expect(JSON.parse(asciiJson('🛒 可乐/500ml'))).toBe('🛒 可乐/500ml')
})
