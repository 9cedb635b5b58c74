import { create } from 'zustand'
import { setStored, getStored } from '../storage.ts'
import { unsavedWork } from '../form/unsaved.ts'

/** The build the server has, once it is known to be another one than that on screen. */
export const useNewBuild = create<{ build: string | undefined }>()(() => ({ build: undefined }))

/** The build on screen, as its page says; nothing while it is being developed. */
const ownBuild = () => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content

/** Takes note of what `version.json` says. */
export function noteBuild(text: string) {
  const own = ownBuild()
  if (!own) return
  try {
    const { version } = JSON.parse(text) as { version?: string }
    if (version) useNewBuild.setState({ build: version === own ? undefined : version })
  } catch {
    // Another file under that name: nothing is known of the build.
  }
}

/**
 * Loads the page anew for a build whose parts the one on screen cannot reach; tabs and where they stand come back.
 * Answers false, and does nothing, while unsaved work is on screen, when there is no other build, or when that was
 * tried for this build already.
 */
export function reloadForBuild(): boolean {
  const { build } = useNewBuild.getState()
  if (!build || unsavedWork().length || getStored('reloadedFor') === build) return false
  setStored('reloadedFor', build, 'session')
  location.reload()
  return true
}
