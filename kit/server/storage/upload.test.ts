import { describe, expect, it } from 'vitest'
import { safeFileHeaders, requireAllowedUpload, uploadKey, uploadTypes } from './upload.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const maxBytes = 100_000
const images = { allowed: uploadTypes.image, maxBytes }

const refused = (code: string, params: object = {}) =>
  expect.objectContaining({ code, params: expect.objectContaining(params) })

describe('what an upload is', () => {
  it('is decided by its bytes, whatever name it comes under', async () => {
    expect(await requireAllowedUpload(png, { name: 'logo.exe', ...images })).toEqual({
      contentType: 'image/png',
      extension: 'png',
      name: 'logo.png',
      inline: true,
    })
  })

  it.each([
    ['a page', '<!DOCTYPE html><script>alert(1)</script>', 'html'],
    ['a page after blanks', '\n\n  <html><body>', 'html'],
    ['a vector picture, which may carry script', '<?xml version="1.0"?><svg onload="alert(1)"/>', 'svg'],
    ['an XML file', '<?xml version="1.0"?><orders/>', 'xml'],
    ['plain text', 'hello', 'txt'],
  ])('%s named as a picture is refused', async (_what, text, type) => {
    await expect(requireAllowedUpload(Buffer.from(text), { name: 'photo.png', ...images })).rejects.toEqual(
      refused('upload_type', { type }),
    )
  })

  it.each(['photo.png', 'photo.JPEG', 'clip.mp4'])(
    'text called %s is refused where every kind of file may be sent',
    async (name) => {
      await expect(requireAllowedUpload(Buffer.from('hello'), { name, maxBytes })).rejects.toEqual(
        refused('upload_type', { type: 'txt' }),
      )
      await expect(requireAllowedUpload(Buffer.from('hello'), { name: 'notes.log', maxBytes })).resolves.toMatchObject({
        extension: 'txt',
      })
    },
  )

  it('a page or vector picture accepted by name is a download that no browser runs', async () => {
    const upload = await requireAllowedUpload(Buffer.from('<svg xmlns="…"></svg>'), {
      name: 'a.svg',
      allowed: ['svg'],
      maxBytes,
    })
    expect(upload).toMatchObject({ contentType: 'application/octet-stream', inline: false })
  })

  it('an empty file and one over the limit are refused with the limit', async () => {
    await expect(requireAllowedUpload(Buffer.alloc(0), { name: 'a.png', ...images })).rejects.toEqual(
      refused('upload_empty'),
    )
    await expect(requireAllowedUpload(png, { name: 'a.png', allowed: ['png'], maxBytes: 10 })).rejects.toEqual(
      refused('upload_too_big'),
    )
    await expect(
      requireAllowedUpload(Buffer.alloc(3 * 1024 * 1024), { name: 'a.png', allowed: ['png'], maxBytes: 1024 * 1024 }),
    ).rejects.toEqual(refused('upload_too_big', { max: '1 MB' }))
  })

  it('a spreadsheet saved as text in GB 18030 is a csv, bytes without meaning are not', async () => {
    const gbk = Buffer.from([0xc9, 0xcc, 0xc6, 0xb7, 0x2c, 0x31, 0x0a])
    expect(await requireAllowedUpload(gbk, { name: '商品.csv', maxBytes })).toMatchObject({
      contentType: 'text/csv',
      name: '商品.csv',
    })
    await expect(requireAllowedUpload(Buffer.from([1, 0, 0xff, 0xfe]), { name: 'a.csv', maxBytes })).rejects.toEqual(
      refused('upload_type'),
    )
  })
})

describe('names', () => {
  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['C:\\Users\\老板\\门头.JPG', '门头.png'],
    ['门头\u202egpj.exe', '门头gpj.png'],
    ['a\r\nSet-Cookie: x.png', 'aSet-Cookie x.png'],
    ['...', 'file.png'],
    ['', 'file.png'],
    [`${'长'.repeat(300)}.png`, `${'长'.repeat(120)}.png`],
  ])('%j is kept as %j', async (name, kept) => {
    expect((await requireAllowedUpload(png, { name, ...images })).name).toBe(kept)
  })

  it('a long text is read to its end, in pieces that let others have their turn', async () => {
    const [gbk, long] = [Buffer.from([0xc9, 0xcc, 0xc6, 0xb7]), 5_242_881]
    let turns = 0
    const count = setInterval(() => turns++, 0)
    const given = { name: 'a.csv', maxBytes: 2 * long }
    const page = Buffer.concat([Buffer.from('<html>'), Buffer.alloc(long - 1, gbk)])
    expect(await requireAllowedUpload(Buffer.alloc(long - 1, gbk), given)).toMatchObject({ contentType: 'text/csv' })
    await expect(
      requireAllowedUpload(Buffer.concat([Buffer.alloc(long, gbk), Buffer.from([0xff])]), given),
    ).rejects.toEqual(refused('upload_type', { type: 'bin' }))
    await expect(requireAllowedUpload(page, given)).rejects.toEqual(refused('upload_type', { type: 'html' }))
    await expect(
      requireAllowedUpload(Buffer.concat([Buffer.from('<html>'), Buffer.alloc(long, '商')]), given),
    ).rejects.toEqual(refused('upload_type', { type: 'html' }))
    clearInterval(count)
    expect(turns).toBeGreaterThan(4)
  })

  it('keys lie in the folder of the tenant and the day in China', () => {
    expect(uploadKey('100001', 'png', new Date('2026-03-01T17:00:00Z'))).toMatch(
      /^100001\/upload\/20260302\/[0-9a-f-]{36}\.png$/,
    )
  })
})

describe('headers of a stored file', () => {
  it('carry a Chinese name, and nothing of it outside its quotes', () => {
    const headers = safeFileHeaders({ name: '对账"单\'(3).xlsx', contentType: 'application/zip', inline: false })
    expect(headers['content-disposition']).toBe(
      `attachment; filename="____'(3).xlsx"; filename*=UTF-8''%E5%AF%B9%E8%B4%A6%22%E5%8D%95%27%283%29.xlsx`,
    )
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toContain('sandbox')
  })
})
