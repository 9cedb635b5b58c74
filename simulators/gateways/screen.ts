import { BAD_PARAMETERS, DONE, OTHER } from './protocol.ts'
import type { Body, Method } from './protocol.ts'

/** A small real picture of a screen: 32 by 18 pixels (JPEG). */
export const SCREEN = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWG' +
    'kJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk' +
    'pKSkpKSkpKSkpKSkpKT/wAARCAASACADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAUE/8QAIBAAAQQBBQEBAAAA' +
    'AAAAAAAAAQACAwQRFiExU5LRBf/EABYBAQEBAAAAAAAAAAAAAAAAAAACA//EABcRAQADAAAAAAAAAAAAAAAAAAABEUH/2gAM' +
    'AwEAAhEDEQA/AMNWu+1YbDGWhzs4LuNhlUNP2+yH0fixfnWGVbsc0gcWtzkN53BCt6gqdc3kfVrN4zitYdP2+yH0fin2q76t' +
    'h0MhaXNxkt43GVe1BU65vI+qJ+jYZauyTRhwa7GA7nYAJF6TWMyIipIiIg//2Q==',
  'base64',
)

export type Upload = (url: string, bytes: Uint8Array) => Promise<boolean>

export const upload: Upload = async (url, bytes) => {
  try {
    const response = await fetch(url, {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: { 'content-type': 'image/jpeg' },
      signal: AbortSignal.timeout(20_000),
    })
    return response.ok
  } catch {
    return false
  }
}

/** Simulates the screen of a self-checkout, which uploads screenshots. */
export function createScreen(body: Body, put: Upload) {
  return {
    methods: {
      'reg.screenshot': ({ putUrl }) => {
        if (typeof putUrl !== 'string') return { code: BAD_PARAMETERS }
        return (end) =>
          void put(putUrl, SCREEN).then((isStored) => {
            if (isStored) body.act('screenshot.sent', { size: SCREEN.length })
            end(isStored ? { code: DONE, data: { size: SCREEN.length } } : { code: OTHER, msg: 'not uploaded' })
          })
      },
    } satisfies Record<string, Method>,
  }
}
