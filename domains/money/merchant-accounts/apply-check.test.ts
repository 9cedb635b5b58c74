import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeFile } from '#domains/platform/files/api.ts'
import { paintedPicture } from '#tests/support/pictures.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { requireFaultlessApply } from './check-apply.ts'
import { payApply } from './pay-apply.resource.ts'

let tenants: TestTenants
let merchantId: string
beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date('2026-11-23T10:00:00+08:00') })
  const body = { name: '北街商贸', merchantNo: 'M1' }
  merchantId = (await tenants.must(post('/api/merchant/merchantInfo/submit', body))).id
})
afterAll(() => tenants?.close())

const post = (path: string, body: object, who = tenants.north.admin) => tenants.call(who, 'POST', path, { body })
const draft = async (more: object) =>
  (await tenants.must(post(`${payApply.path}/submit`, { merchantId, merchantShortname: '北街便利', ...more })))
    .id as string
const check = (id: string, who = tenants.north.admin, lang = 'zh') =>
  tenants.call(who, 'GET', `${payApply.path}/check`, { query: { id }, headers: { 'accept-language': lang } })

test('a draft is kept with nothing but its name, and the check says all it lacks', async () => {
  const { missing, faults } = await tenants.must(check(await draft({})))
  expect(missing).toEqual(expect.arrayContaining(['licenseCopy', 'idCardNumber', 'contactEmail', 'accountNumber']))
  expect(faults).toEqual([])
})

test('a sealed number is checked though nobody sees it any more, and is not in the answer', async () => {
  const id = await draft({ idCardNumber: '330106199001011242', legalPerson: '吴敏', idCardName: '吴民' })
  const { data, body } = await check(id)
  expect(data.missing).not.toContain('idCardNumber')
  expect(data.faults.map((one: { field: string }) => one.field)).toEqual(['legalPerson', 'idCardNumber'])
  expect(JSON.stringify(body)).not.toContain('330106199001011242')
  const english = (await tenants.must(check(id, tenants.north.admin, 'en'))) as { faults: { sentence: string }[] }
  expect(english.faults[1]!.sentence).toBe('The check digit or birth date of the ID number is wrong')
})

test('what is wrong or missing is refused at its field before anything is sent', async () => {
  const id = await draft({ licenseNumber: '92330106MA2ABCED1D' })
  const { tenantId } = tenants.north
  const refused = await tenants.services
    .unit({ tenantId }, async (db) => requireFaultlessApply(tenants.services, (await db.get(payApply, id))!))
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({
    code: 'invalid',
    data: {
      problems: {
        licenseNumber: { problem: { code: 'bad_format' } },
        licenseCopy: { problem: { code: 'required' } },
      },
    },
  })
})

test("another tenant's application is not there", async () => {
  const id = await draft({})
  expect((await check(id, tenants.south.admin)).status).toBe(404)
})

/** A JPEG header with that size and `bytes` bytes of content. */
function jpegOf(width: number, height: number, bytes: number): Buffer {
  const frame = Buffer.from('ffd8ffe000104a46494600010101006000600000ffc0001108000000000301220002110103110100', 'hex')
  const at = frame.indexOf(Buffer.from('ffc0', 'hex'))
  frame.writeUInt16BE(height, at + 5)
  frame.writeUInt16BE(width, at + 7)
  return Buffer.concat([frame, Buffer.alloc(bytes, 0x5a)])
}

test('pictures nobody could read are told at their field: too small, out of focus, empty, too large', async () => {
  const pictures: [bytes: Buffer, name: string, said: string | undefined][] = [
    [jpegOf(320, 240, 40_000), 'small.jpg', '图片太小'],
    [jpegOf(3000, 4000, 120_000), 'blurred.jpg', '模糊'],
    [jpegOf(3000, 4000, 240_000), 'packed.jpg', undefined],
    [paintedPicture({ isBlank: true }), 'blank.png', '模糊'],
    [jpegOf(3000, 4000, 2_100_000), 'large.jpg', '超过 2 MB'],
    [jpegOf(3000, 4000, 1_500_000), 'good.jpg', undefined],
    [paintedPicture(), 'good.png', undefined],
  ]
  const { tenantId } = tenants.north
  for (const [bytes, name, reason] of pictures) {
    const { link } = await storeFile(tenants.services, { tenantId, bytes, name })
    const { faults } = await tenants.must(check(await draft({ licenseCopy: link })))
    const found = faults.find((one: { field: string }) => one.field === 'licenseCopy')?.sentence
    expect([name, reason === undefined ? found : found.includes(reason)]).toEqual([name, reason && true])
  }
})
