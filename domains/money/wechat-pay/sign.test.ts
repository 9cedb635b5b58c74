import { createHash, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  authorizationOf,
  signMiniProgramPayment,
  isSignatureProbe,
  isWechatPaySignatureValid,
  decryptPersonalField,
  decryptResourceText,
  replyTextToVerify,
  requestTextToSign,
  encryptPersonalField,
  signText,
} from './sign.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stamp = { timestamp: '1700000000', nonce: 'NONCE0001' }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const UNFREEZE =
  '{"sub_mchid":"1900000109","transaction_id":"4200000000000000001","out_order_no":"SH-UF-1","description":"解冻剩余"}'

test('what is signed is byte for byte what WeChat Pay signs', () => {
  const query = requestTextToSign('GET', '/v3/applyment4sub/applyment/business_code/1900000001_A1', stamp, '')
  expect(sha256(query)).toBe('a0ea39abdaef5ca0d119c60120112defd223294985b9b28e3cb0065baba9e372')
  const unfreeze = requestTextToSign('POST', '/v3/profitsharing/orders/unfreeze', stamp, UNFREEZE)
  expect(sha256(unfreeze)).toBe('64f65f68a4fbc3b58ec4db70957bd6b9ac3b8b4bc32a83cd60a4788b311a8ae4')
  const reply = replyTextToVerify({ timestamp: '1700000010', nonce: 'NONCE0002' }, '{"applyment_id":2000002124775691}')
  expect(sha256(reply)).toBe('1a3607abfb95159ae0a39ac49e1f888cb0bddaac9a7c278bffc6acf56b69fc55')
})

test('a signature holds for its text and its key, and for no other', () => {
  const text = replyTextToVerify(stamp, '{"a":1}')
  const signature = signText(text, privateKey)
  expect(isWechatPaySignatureValid(text, signature, publicKey)).toBe(true)
  expect(isWechatPaySignatureValid(replyTextToVerify(stamp, '{"a":2}'), signature, publicKey)).toBe(false)
  expect(
    isWechatPaySignatureValid(
      replyTextToVerify({ ...stamp, timestamp: '1700000001' }, '{"a":1}'),
      signature,
      publicKey,
    ),
  ).toBe(false)
  expect(isWechatPaySignatureValid(text, signature, other.publicKey)).toBe(false)
  expect(isWechatPaySignatureValid(text, 'WECHATPAY/SIGNTEST/abc', publicKey)).toBe(false)
  expect(isSignatureProbe('WECHATPAY/SIGNTEST/abc')).toBe(true)
})

test('a request says who signed it, and its signature verifies', () => {
  const signer = { mchid: '1900000001', serialNo: 'ABCDEF01', privateKey }
  const header = authorizationOf(signer, { ...stamp, method: 'GET', path: '/v3/certificates', body: '' })
  expect(header).toMatch(/^WECHATPAY2-SHA256-RSA2048 mchid="1900000001",nonce_str="NONCE0001",signature="/)
  expect(header).toMatch(/,timestamp="1700000000",serial_no="ABCDEF01"$/)
  const [, signature] = /signature="([^"]+)"/.exec(header)!
  expect(
    isWechatPaySignatureValid(requestTextToSign('GET', '/v3/certificates', stamp, ''), signature!, publicKey),
  ).toBe(true)
})

test('what the mini program is given is signed in four lines', () => {
  const given = signMiniProgramPayment('wx1', 'wx201410272009395522657a690389285100', stamp, privateKey)
  expect(isWechatPaySignatureValid(`wx1\n1700000000\nNONCE0001\n${given.package}\n`, given.paySign, publicKey)).toBe(
    true,
  )
  expect(given).toMatchObject({ signType: 'RSA', package: 'prepay_id=wx201410272009395522657a690389285100' })
})

const resource = {
  ciphertext: 'i1ixwfTMUFe0fHPub9oS4sfoGB9zj5TJJGdlZJinUrhgnwDf9hTs5/vOKA==',
  nonce: 'abcdef123456',
  associated_data: 'refund',
}
const KEY = '0123456789abcdef0123456789abcdef'

test('a callback opens with the key both have, and not when a bit of it was turned', () => {
  expect(decryptResourceText(resource, KEY)).toBe('{"refund_status":"SUCCESS"}')
  const bytes = Buffer.from(resource.ciphertext, 'base64')
  for (const at of [0, bytes.length - 1]) {
    const turned = Buffer.from(bytes)
    turned[at]! ^= 1
    expect(() => decryptResourceText({ ...resource, ciphertext: turned.toString('base64') }, KEY)).toThrow()
  }
  expect(() => decryptResourceText({ ...resource, associated_data: 'transaction' }, KEY)).toThrow()
  expect(() => decryptResourceText(resource, KEY.toUpperCase())).toThrow()
})

test('a field that names people is opened by its receiver alone, and never looks the same twice', () => {
  const [a, b] = [encryptPersonalField('张三', publicKey), encryptPersonalField('张三', publicKey)]
  expect(a).not.toBe(b)
  expect(decryptPersonalField(a, privateKey).toString()).toBe('张三')
  expect(() => decryptPersonalField(a, other.privateKey)).toThrow()
})
