import { create } from 'zustand'
import { setStoredValue, getStoredValue } from '../base/storage.ts'
import { listUnsavedWork } from '../base/unsaved.ts'

/** The build the server has, if it differs from the one on screen; otherwise undefined. */
export const useNewServerBuild = create<{ build: string | undefined }>()(() => ({ build: undefined }))

/** Returns the build on screen, from the page's meta tag; undefined in development. */
const ownBuild = () => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content

/** Records the server's build from the text of `version.json`. */
export function recordServerBuild(text: string) {
  const own = ownBuild()
  if (!own) return
  try {
    const { version } = JSON.parse(text) as { version?: string }
    if (version) useNewServerBuild.setState({ build: version === own ? undefined : version })
  } catch {
    // Not our version file, so the server's build stays unknown.
  }
}

/**
 * Reloads the page for a new build, as files of the old one are gone from the server; the tabs are restored. Returns
 * false and does nothing if there is unsaved work, no new build, or a reload for this build was tried before.
 */
export function reloadForNewBuild(): boolean {
  const { build } = useNewServerBuild.getState()
  if (!build || listUnsavedWork().length || getStoredValue('reloadedFor') === build) return false
  setStoredValue('reloadedFor', build, 'session')
  location.reload()
  return true
}
