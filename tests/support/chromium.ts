import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Programs to look for. The headless shell is first, since a journey takes a sixth less CPU with it. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
  'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
]
const DOWNLOADED = '.cache/ms-playwright/chromium-*/chrome-linux*/chrome'

/** Returns the path of a Chromium: CHROMIUM_PATH, the system's, or one downloaded for earlier tests. */
function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named) return named
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...ELSEWHERE,
    ...globSync(DOWNLOADED, { cwd: homedir() }).map((path) => join(homedir(), path)),
  ]
  return candidates.find((path) => existsSync(path))
}

/** Returns a working Chromium, after installing Debian's package where allowed. Otherwise throws with what to do. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found && runs(found)) return found
  if (found) throw new Error(`${found} does not start. Set CHROMIUM_PATH to a Chromium that does.`)
  if (!mayInstall()) {
    throw new Error('The browser journeys need Chromium or Chrome. Install one, or set CHROMIUM_PATH to where it is.')
  }
  console.log('Installing Chromium and a font for Chinese; this takes a minute or two.')
  // Parallel runs wait for each other, and find it installed then.
  const apt = (...args: string[]) =>
    spawnSync('flock', [join(tmpdir(), 'chromium-installation'), 'apt-get', ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  apt('update', '-q')
  // Older releases of Debian have only the whole browser.
  ;['chromium-headless-shell', 'chromium'].some((name) =>
    apt('install', '-y', '-q', '--no-install-recommends', name, 'fonts-noto-cjk'),
  )
  const installed = findChromium()
  if (installed && runs(installed)) return installed
  throw new Error('Chromium could not be installed. Install one, or set CHROMIUM_PATH to where it is.')
}

function runs(path: string): boolean {
  return spawnSync(path, ['--version', '--no-sandbox'], { timeout: 30_000 }).status === 0
}

/**
 * Whether the package may be installed: as root on Debian. Ubuntu's package of that name only installs a snap, which
 * does not work in containers.
 */
function mayInstall(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}
