import { expect, test } from 'vitest'
import { meituanTextToSign, isMeituanSignatureValid, sign } from './sign.ts'

const BASE = 'https://waimaiopen.meituan.com/api/v1'
const vectors: { url: string; params: Record<string, string>; secret: string; sig: string }[] = [
  {
    url: `${BASE}/retail/list`,
    params: { app_id: '1001', app_poi_code: 'S-01', skus: '[{"name":"可乐"}]', timestamp: '1700000000' },
    secret: 'demo-secret',
    sig: '0e1c05f51a0269be39ee89c7e830b7d3',
  },
  {
    url: `${BASE}/order/getOrderDaySeq`,
    params: { app_id: '0000', app_poi_code: '31号测试店', timestamp: '1389751221' },
    secret: 'a00ba58f000001aa697ab000006d52d',
    sig: '488c2c2302262b62e3666a4aa4b48083',
  },
  {
    url: 'https://shop.example/hook/mt/order-cancel',
    params: { app_id: '1001', app_poi_code: 'S-01', order_id: '90001', reason: '不想要了', timestamp: '1700000005' },
    secret: 'demo-secret',
    sig: '5ea3673a33adf5b2cb00b9c86b5d9ee9',
  },
]

test.each(vectors)('signs $url as the platform does', ({ url, params, secret, sig }) => {
  expect(sign(url, params, secret)).toBe(sig)
  expect(isMeituanSignatureValid(url, { ...params, sig }, secret)).toBe(true)
})

test('a parameter, an address or a secret that differs is no signature, and pictures are none of it', () => {
  const { url, params, secret, sig } = vectors[0]!
  expect(isMeituanSignatureValid(url, { ...params, app_poi_code: 'S-02', sig }, secret)).toBe(false)
  expect(isMeituanSignatureValid(`${url}/`, { ...params, sig }, secret)).toBe(false)
  expect(isMeituanSignatureValid(url, { ...params, sig }, 'another')).toBe(false)
  expect(isMeituanSignatureValid(url, { ...params }, secret)).toBe(false)
  expect(isMeituanSignatureValid(url, { ...params, img_data: 'AAAA', sig }, secret)).toBe(true)
  expect(meituanTextToSign(url, { b: '2', a: '1', B: '3' })).toBe(`${url}?B=3&a=1&b=2`)
})
