// npm run generate -- code.zip: merges generated resources into this tree and registers them in their modules. For a
// design written by hand (`shelf.json`: a code and its model with columns) the code is generated first.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readZipEntries, unpackZipEntry } from '#kit/server/sheets/zip.ts'
import {
  createResourceDesigns,
  generateResources,
  collectDownloadFiles,
  type DesignCode,
  type DesignModel,
} from '#domains/platform/code-generator/design.ts'
import { createModelColumn, type ModelColumn } from '#domains/platform/code-generator/part.ts'
import type { GeneratedFile } from '#domains/platform/code-generator/print.ts'
import { takeIn } from './generate-steps.ts'

const root = join(import.meta.dirname, '..')
const UNPACKED_MAX = 50 * 1024 * 1024

const [file] = process.argv.slice(2)
if (!file || !/\.(zip|json)$/.test(file)) throw new Error('Say the file: npm run generate -- code.zip')
const files = file.endsWith('.zip') ? await unpacked(readFileSync(file)) : designed(readFileSync(file, 'utf8'))
const { written, told } = takeIn(
  {
    read: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined),
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
  },
  files,
)
if (written.length)
  execFileSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), ...written.filter(isCode)], { cwd: root })
for (const path of written) console.log(`  ${path}`)
for (const line of told) console.log(`! ${line}`)
if (!written.length) console.log('Everything is as it was.')
else console.log('Then: npm run migration -- "why", npm run derived, npm run check')

function isCode(path: string): boolean {
  return !path.startsWith('.generated/')
}

async function unpacked(bytes: Buffer): Promise<GeneratedFile[]> {
  const allowance = { left: UNPACKED_MAX }
  const found: GeneratedFile[] = []
  for (const entry of readZipEntries(bytes).values()) {
    const pieces: Buffer[] = []
    for await (const piece of unpackZipEntry(entry, allowance)) pieces.push(piece)
    found.push({ path: entry.name, text: Buffer.concat(pieces).toString('utf8') })
  }
  return found
}

function designed(text: string): GeneratedFile[] {
  const { code, model } = JSON.parse(text) as {
    code: DesignCode
    model: DesignModel & { columns: Partial<ModelColumn>[] }
  }
  return collectDownloadFiles(
    generateResources(createResourceDesigns(code, { model, parts: model.columns.map(createModelColumn) })),
  )
}
