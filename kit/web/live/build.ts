import { create } from 'zustand'
import { setStoredValue, getStoredValue } from '../storage.ts'
import { listUnsavedWork } from '../form/unsaved.ts'

/** The build the server has, once it is known to be another one than that on screen. */
export const useNewServerBuild = create<{ build: string | undefined }>()(() => ({ build: undefined }))

/** The build on screen, as its page says; nothing while it is being developed. */
const ownBuild = () => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content

/** Takes note of what `version.json` says. */
export function recordServerBuild(text: string) {
  const own = ownBuild()
  if (!own) return
  try {
    const { version } = JSON.parse(text) as { version?: string }
    if (version) useNewServerBuild.setState({ build: version === own ? undefined : version })
  } catch {
    // Another file under that name: nothing is known of the build.
  }
}

/**
 * Loads the page anew for a build whose parts the one on screen cannot reach; tabs and where they stand come back.
 * Answers false, and does nothing, while unsaved work is on screen, when there is no other build, or when that was
 * tried for this build already.
 */
export function reloadForNewBuild(): boolean {
  const { build } = useNewServerBuild.getState()
  if (!build || listUnsavedWork().length || getStoredValue('reloadedFor') === build) return false
  setStoredValue('reloadedFor', build, 'session')
  location.reload()
  return true
}
