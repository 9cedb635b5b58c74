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

/** Keys and words of a document: what stands as code, name by name. */
const namesIn = (text: string) =>
  new Set(
    [...text.replaceAll(/\[[^\]]*\]\([^)]*\)/g, '').matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) =>
      [...code!.matchAll(/[A-Za-z][\w.]*[\w]/g)].map(([name]) => name),
    ),
  )

/** What is said for people and meant as no key: methods of HTTP, options of the protocol, what stands in an example. */
const SAID = [
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

/** Steps of an upgrade: whatever a device says is kept and shown as it is said. */
const STEPS = ['DOWNLOADING', 'DOWNLOADED', 'VERIFYING', 'INSTALLING', 'REBOOTING']

/** Units and names of standards. */
const STANDARDS = ['KB', 'KiB', 'MiB', 'QoS', 'ESC', 'POS', 'z0']

/** What hardware does with it, and the simulated devices have no part of. */
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
  // The simulated screen is one picture, the simulated program is checked by its longer sum.
  'quality',
  'maxWidth',
  'md5',
  'versionCode',
  'router',
  // Said to people at the door.
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
  // Said by the office alone.
  'data.items',
]

const isUsed = (name: string, text: string) =>
  name.split('.').every((part) => new RegExp(`\\b${part}\\b`).test(text)) || text.includes(name)

test.each(['docs/gateways.md', 'docs/terminals.md'])('each key and word of %s is sent, taken or answered', (file) => {
  const names = [...namesIn(read(file))].filter((name) => ![...SAID, ...STANDARDS].includes(name))
  expect(names.length).toBeGreaterThan(80)
  expect(names.filter((name) => !isUsed(name, sources) && !STEPS.includes(name))).toEqual([])
})

test('what gateways.md promises of a device is done by the simulated ones', () => {
  const names = [...namesIn(read('docs/gateways.md'))].filter((name) => ![...SAID, ...STANDARDS].includes(name))
  expect(names.filter((name) => !isUsed(name, simulators) && !OF_HARDWARE.includes(name))).toEqual([])
})
