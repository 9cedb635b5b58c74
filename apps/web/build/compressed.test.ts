import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { build } from 'vite'
import { precompressionPlugin, compressAssetsWithBrotli } from './compressed.ts'

let root: string
let dist: string

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'compressed-'))
  dist = join(root, 'dist')
  const much = JSON.stringify(Array.from({ length: 200 }, (_, n) => `goods ${n}`))
  writeFileSync(join(root, 'index.html'), `<p>${'x'.repeat(2000)}</p><script type="module" src="./much.js"></script>`)
  writeFileSync(join(root, 'much.js'), `globalThis.much = ${much}; import('./little.js')`)
  writeFileSync(join(root, 'little.js'), 'globalThis.little = 1')
  await build({ root, configFile: false, logLevel: 'silent', plugins: [precompressionPlugin()] })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const inAssets = (ending: RegExp) => readdirSync(join(dist, 'assets')).filter((name) => ending.test(name))

test('a build comes with what the server picks, but for what takes long', () => {
  const page = readFileSync(join(dist, 'index.html'))
  expect(gunzipSync(readFileSync(join(dist, 'index.html.gz')))).toEqual(page)
  expect(brotliDecompressSync(readFileSync(join(dist, 'index.html.br')))).toEqual(page)
  const [much] = inAssets(/index.*\.js$/)
  expect(gunzipSync(readFileSync(join(dist, 'assets', `${much}.gz`)))).toEqual(
    readFileSync(join(dist, 'assets', much!)),
  )
  expect(inAssets(/little.*\.gz$/)).toEqual([])
  expect(inAssets(/\.br$/)).toEqual([])
})

test('packing adds the smaller ones once, each whole under its name', async () => {
  expect(await compressAssetsWithBrotli(dist)).toBe(1)
  const [much] = inAssets(/index.*\.js$/)
  const small = readFileSync(join(dist, 'assets', `${much}.br`))
  expect(brotliDecompressSync(small)).toEqual(readFileSync(join(dist, 'assets', much!)))
  expect(small.length).toBeLessThan(readFileSync(join(dist, 'assets', `${much}.gz`)).length)
  expect(inAssets(/\.(js|br|gz)$/)).toEqual(inAssets(/./))
  expect(await compressAssetsWithBrotli(dist)).toBe(0)
})

test('a build made anew while it is packed is whole, and packed by the next', async () => {
  const packing = compressAssetsWithBrotli(dist)
  writeFileSync(join(root, 'much.js'), `globalThis.other = ${JSON.stringify('y'.repeat(5000))}`)
  const again = build({ root, configFile: false, logLevel: 'silent', plugins: [precompressionPlugin()] })
  await expect(packing).resolves.toBeLessThan(2)
  await again
  expect(gunzipSync(readFileSync(join(dist, 'index.html.gz')))).toEqual(readFileSync(join(dist, 'index.html')))
  expect(await compressAssetsWithBrotli(dist)).toBe(1)
})

test('a file that is half written is left for the next', async () => {
  const [much] = inAssets(/index.*\.js$/)
  const path = join(dist, 'assets', much!)
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, 100))
  expect(await compressAssetsWithBrotli(dist)).toBe(0)
  expect(inAssets(/\.br$/)).toEqual([])
  writeFileSync(path, whole)
  expect(await compressAssetsWithBrotli(dist)).toBe(1)
})
