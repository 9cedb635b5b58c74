import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readSheet } from './read-sheet.ts'
import { writeSheet } from './write-sheet.ts'

/** An archive of one deflated entry, as small as what it unpacks to is large. */
function archive(name: string, content: Buffer, claims = content.length): Buffer {
  const packed = deflateRawSync(content, { level: 9 })
  const local = Buffer.alloc(30 + name.length)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(claims, 22)
  local.writeUInt16LE(name.length, 26)
  local.write(name, 30)
  const entry = Buffer.alloc(46 + name.length)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(claims, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.write(name, 46)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length + packed.length, 16)
  return Buffer.concat([local, packed, entry, end])
}

test('a written sheet is read as it was', async () => {
  const bytes = await writeSheet(
    'a',
    ['账户', '姓名'],
    [
      ['wang', '王建国'],
      ['', ''],
      ['li', '李四'],
    ],
  )
  expect(await readSheet(bytes, ['账户'])).toEqual([
    { line: 2, cells: { 账户: 'wang', 姓名: '王建国' } },
    { line: 4, cells: { 账户: 'li', 姓名: '李四' } },
  ])
})

test('a few kilobytes that unpack to much are refused before they are, whatever they claim', async () => {
  const zeros = Buffer.alloc(64 * 1024 * 1024, ' ')
  for (const claims of [zeros.length, 10]) {
    const bomb = archive('xl/worksheets/sheet1.xml', zeros, claims)
    expect(bomb.length).toBeLessThan(100_000)
    await expect(readSheet(bomb, ['账户'])).rejects.toMatchObject({ code: 'sheet_too_big' })
  }
})

test('what is no workbook is refused', async () => {
  for (const bytes of [
    Buffer.from('hello'),
    Buffer.from('PK\u0005\u0006'),
    Buffer.alloc(0),
    archive('a.xml', Buffer.from('x')),
  ])
    await expect(readSheet(bytes, ['账户'])).rejects.toMatchObject({ code: 'sheet_unreadable' })
})
