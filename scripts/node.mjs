// Runs on whatever Node the machine has (20 or newer), before anything is installed: plain JavaScript, no dependency.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = readJson('package.json').devDependencies.node
const bundled = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * Prepares the machine to run the project's code: installs the packages of the lock file and ensures the project's
 * Node. On another Node it runs this script again under the right one and exits with it.
 */
export async function prepare() {
  process.chdir(root)
  if (!isInstalled()) await install()
  // Keeps compiled code between starts, since stripping types from a thousand files takes time. (Node 20 has no such
  // cache.) Worker processes get it by the environment.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node')
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE)
  if (process.versions.node === wanted) return endWithParent(() => process.kill(process.pid, 'SIGTERM'))
  if (works(bundled)) return runAgain()
  if (Number(process.versions.node.split('.')[0]) >= Number(wanted.split('.')[0])) return
  stop(
    `This needs Node ${wanted}, and this is Node ${process.versions.node}.\n` +
      'It comes with the packages, but its install script was not allowed to run. Run\n' +
      '  npm rebuild --ignore-scripts=false\n' +
      `or use Node ${wanted.split('.')[0]} or newer yourself.`,
  )
}

/**
 * Runs one of the project's modules in this process as if it were the main script.
 * @param {string} file
 * @param {string[]} args
 */
export async function runModule(file, args) {
  const path = join(root, file)
  process.argv = [process.execPath, path, ...args]
  await import(pathToFileURL(path).href)
}

/**
 * Returns whether every package of the lock file is installed in its version. Optional ones may be for other machines.
 */
function isInstalled() {
  const here = readJson('node_modules/.package-lock.json')?.packages
  if (!here) return false
  return Object.entries(readJson('package-lock.json').packages).every(
    ([path, { version, optional }]) => path === '' || (here[path] ? here[path].version === version : optional),
  )
}

async function install() {
  log('Installing the packages; the first time this takes a minute or two.')
  const since = Date.now()
  const ticking = setInterval(() => log(`Installing… ${Math.round((Date.now() - since) / 1000)} s`), 5000)
  const cli = process.env.npm_execpath
  const [command, ...first] = cli?.endsWith('.js') ? [process.execPath, cli] : ['npm']
  const flags = [
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--progress=false',
    '--loglevel=error',
  ]
  const npm = spawn(command, [...first, 'ci', ...flags], { cwd: root, stdio: 'inherit' })
  const code = await new Promise((done) => npm.once('exit', done).once('error', () => done(-1)))
  clearInterval(ticking)
  if (code === -1) stop('The packages are missing, and npm was not found to install them.')
  if (code !== 0) stop('The packages could not be installed; npm says why above.')
  log(`Installed in ${Math.round((Date.now() - since) / 1000)} s.`)
}

/** @param {string} node */
function works(node) {
  return existsSync(node) && spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${wanted}`
}

async function runAgain() {
  const child = spawn(bundled, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(bundled)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` },
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    // In a terminal the child gets Ctrl-C as well: passed on, it would get it twice.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal))
  }
  endWithParent(() => child.kill('SIGTERM'))
  const [code, signal] = await new Promise((done) => child.once('exit', (...outcome) => done(outcome)))
  process.exit(code ?? (signal === 'SIGINT' ? 130 : 143))
}

/**
 * Calls `end` when the parent process is gone. Killing npm, or the shell it uses, sends no signal here, and the product
 * would go on running unseen. (The scripts in package.json begin with "exec" because Debian's shell does not pass
 * signals on.)
 * @param {() => void} end
 */
function endWithParent(end) {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    end()
  }, 300)
  watch.unref()
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8'))
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined
    throw error
  }
}

/** @param {string} line */
function log(line) {
  console.log(line)
}

/** @param {string} sentence */
function stop(sentence) {
  console.error(sentence)
  process.exit(1)
}
