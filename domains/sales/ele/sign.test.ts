import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asciiJson, isEleSignatureValid, computeEleSignature, eleTextToSign, type EleMessage } from './sign.ts'

const secret = 'demo-secret'
const shop = { shop_id: 'S-01', name: '一号店' }
const asked: EleMessage = {
  cmd: 'shop.update',
  timestamp: '1700000000',
  version: '3',
  ticket: '6A1E7C3B-0F0D-4C64-9F51-0F3B1B8E2D10',
  source: '60001',
  encrypt: '',
  body: asciiJson(shop),
}

test('a request is signed as the platform signs it', () => {
  expect(eleTextToSign(asked, secret)).toBe(
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
  expect(computeEleSignature(asked, secret)).toBe('0873F3B7999479E4BA3CBCD1FD78007E')
})

test('what is answered to a message is signed as the platform signs it', () => {
  const body = '{"errno":0,"error":"success","data":{"source_order_id":"E-9"}}'
  const answer = { ...asked, cmd: 'resp.order.create', timestamp: '1700000001', body }
  expect(computeEleSignature(answer, secret)).toBe('782A5531CF126B8EFB73017F6663C784')
})

test('every field counts, and no other secret nor a cut signature is taken', () => {
  const sign = computeEleSignature(asked, secret)
  expect(isEleSignatureValid(asked, sign, secret)).toBe(true)
  expect(isEleSignatureValid(asked, sign.toLowerCase(), secret)).toBe(true)
  expect(isEleSignatureValid(asked, sign, 'other')).toBe(false)
  expect(isEleSignatureValid(asked, sign.slice(1), secret)).toBe(false)
  expect(isEleSignatureValid(asked, '', secret)).toBe(false)
  for (const name of Object.keys(asked) as (keyof EleMessage)[])
    expect(isEleSignatureValid({ ...asked, [name]: `${asked[name]}1` }, sign, secret)).toBe(false)
  expect(isEleSignatureValid({ ...asked, fields: 'shop_id|name' }, sign, secret)).toBe(false)
  expect(isEleSignatureValid({ ...asked, access_token: 't' }, sign, secret)).toBe(false)
})

test('a body is signed as it came, with its slashes escaped or not, never as it would be written again', () => {
  const escaped = { ...asked, body: '{"url":"https:\\/\\/img.example.com\\/1.png"}' }
  const plain = { ...asked, body: '{"url":"https://img.example.com/1.png"}' }
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
