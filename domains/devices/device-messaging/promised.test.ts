import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sources = globSync('{domains,kit/server}/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.(test|demo)\.tsx?$/.test(file))
  .map(read)
  .join('\n')
const simulators = globSync('simulators/{gateways,registers}/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map(read)
  .join('\n')

/** Identifiers that a document marks as code. */
const namesIn = (text: string) =>
  new Set(
    [...text.replaceAll(/\[[^\]]*\]\([^)]*\)/g, '').matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) =>
      [...code!.matchAll(/[A-Za-z][\w.]*[\w]/g)].map(([name]) => name),
    ),
  )

/** Words in code marks that are not fields: HTTP methods, protocol options, parts of examples. */
const NOT_FIELDS = [
  'Authorization',
  'Basic',
  'A-Za-z0-9_',
  'Za-z0',
  'base64',
  'TCP_NODELAY',
  'clean',
  'session',
  'client',
  'username',
  'password',
  'secret',
  'mqtt',
  'tenantId',
  'POST',
  'GET',
  'yyyy',
  'MM',
  'dd',
  'HH',
  'mm',
  'ss',
]

/** Steps of an upgrade. The server stores and shows any step a device reports. */
const STEPS = ['DOWNLOADING', 'DOWNLOADED', 'VERIFYING', 'INSTALLING', 'REBOOTING']

/** Units and names of standards. */
const STANDARDS = ['KB', 'KiB', 'MiB', 'QoS', 'ESC', 'POS', 'z0']

/** Fields that only real hardware uses; the simulated devices do not. */
const OF_HARDWARE = [
  // Drawn by a tag's own program.
  'template',
  'layout',
  'layouts',
  'high',
  'wide',
  'isBold',
  'isRed',
  'memberPrice',
  'promotion',
  'promotionIds',
  'spec',
  'unit',
  'priceFen',
  'memberPriceFen',
  // The simulated screen is one picture and the simulated program is checked by SHA-256 only.
  'quality',
  'maxWidth',
  'md5',
  'versionCode',
  'router',
  // Shown or spoken to people at the door.
  'wxUserId',
  'appeal',
  'entryNo',
  'say',
  'zh',
  'en',
  'shopClosed',
  'blocked',
  'codeInvalid',
  'codeUsed',
  'stranger',
  'membersOnly',
  // Only sent by the server.
  'data.items',
]

const isUsed = (name: string, text: string) =>
  name.split('.').every((part) => new RegExp(`\\b${part}\\b`).test(text)) || text.includes(name)

test.each(['docs/gateways.md', 'docs/terminals.md'])('each key and word of %s is sent, taken or answered', (file) => {
  const names = [...namesIn(read(file))].filter((name) => ![...NOT_FIELDS, ...STANDARDS].includes(name))
  expect(names.length).toBeGreaterThan(80)
  expect(names.filter((name) => !isUsed(name, sources) && !STEPS.includes(name))).toEqual([])
})

test('what gateways.md promises of a device is done by the simulated ones', () => {
  const names = [...namesIn(read('docs/gateways.md'))].filter((name) => ![...NOT_FIELDS, ...STANDARDS].includes(name))
  expect(names.filter((name) => !isUsed(name, simulators) && !OF_HARDWARE.includes(name))).toEqual([])
})
