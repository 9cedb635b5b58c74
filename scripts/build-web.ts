import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const web = join(root, 'apps/web')
const built = join(web, 'dist')
/** The folder this process builds in. It is renamed when complete, so that nobody is served half a build. */
const making = join(web, `dist.${process.pid}`)
/**
 * File with the hash of the sources last built; an equal hash skips the build. It lies beside `dist`, because
 * everything in there is served.
 */
const stamp = join(web, 'dist.stamp')

/** Builds the browser app, unless the last build was made from the same sources. Returns false when the build fails. */
export async function buildWeb(): Promise<boolean> {
  const sources = hashSources()
  if (existsSync(join(built, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return true
  // A server that starts meanwhile needs the folder to exist.
  mkdirSync(built, { recursive: true })
  const since = Date.now()
  const soon = setTimeout(() => console.log('Building the browser app…'), 2000)
  const output: Buffer[] = []
  const made = join(making, 'dist')
  const clear = () => rmSync(making, { recursive: true, force: true })
  clear()
  const vite = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', made], {
    cwd: web,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Ends the build together with this process.
  const end = () => vite.kill()
  process.once('exit', end)
  for (const stream of [vite.stdout, vite.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const code = await new Promise((done) => vite.once('close', done))
  clearTimeout(soon)
  process.off('exit', end)
  if (code !== 0) {
    clear()
    console.error(`${Buffer.concat(output).toString()}\nThe browser app could not be built.`)
    return false
  }
  renameSync(built, join(making, 'before'))
  renameSync(made, built)
  clear()
  writeFileSync(stamp, sources)
  console.log(`Built the browser app in ${((Date.now() - since) / 1000).toFixed(1)} s.`)
  return true
}

/** Compresses the build's files in a process of low priority. Until that is done, they are served a sixth larger. */
export function packWeb(): void {
  const packing = spawn(process.execPath, [join(root, 'scripts/pack-web.ts')], { stdio: 'ignore' })
  // Without it the files are only larger.
  packing.on('error', () => {})
  packing.unref()
  process.once('exit', () => packing.kill())
}

/** Hashes the sources of the browser app. Tests and files that only the server runs are left out. */
function hashSources(): string {
  const files = globSync(['apps/web/**/*', 'kit/**/*', 'domains/**/*'], {
    cwd: root,
    withFileTypes: true,
    exclude: ({ name }) => /^(dist(\.\w+)?|node_modules)$/.test(name),
  })
  const hash = createHash('sha256').update(process.versions.node)
  const paths = files
    .filter((file) => file.isFile() && !/\.(test|server|job|client|demo)\.tsx?$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .sort()
  for (const path of [join(root, 'package-lock.json'), join(root, 'package.json'), ...paths]) {
    hash.update(path.slice(root.length)).update(readFileSync(path))
  }
  return hash.digest('hex')
}
