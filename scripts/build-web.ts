import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const web = join(root, 'apps/web')
const built = join(web, 'dist')
/** Where it is made, by this process alone: nobody is served half of it. */
const making = join(web, `dist.${process.pid}`)
/** Beside the build, not in it: what is in it is served. */
const stamp = join(web, 'dist.stamp')

/** Builds the browser app unless the last build was made from the very same sources; false when the build fails. */
export async function buildWeb(): Promise<boolean> {
  const sources = hashSources()
  if (existsSync(join(built, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return true
  // A server that begins meanwhile looks where it will be.
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
  // Whoever ends meanwhile leaves nobody writing.
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

/**
 * Makes the build smaller where that is not done yet, in a process that everything else goes before: who asks meanwhile
 * gets what is a sixth larger.
 */
export function packWeb(): void {
  const packing = spawn(process.execPath, [join(root, 'scripts/pack-web.ts')], { stdio: 'ignore' })
  // It is only smaller that way.
  packing.on('error', () => {})
  packing.unref()
  process.once('exit', () => packing.kill())
}

/** What the browser app is made of, tests and what only the server runs left out. */
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
