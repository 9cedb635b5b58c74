import { create } from 'zustand'
import { setStored, getStored } from '#kit/web/storage.ts'

type Frame = { collapsed: boolean; drawer: boolean }

/** Whether the sidebar is narrow, and whether the phone's drawer is open. */
export const useFrame = create<Frame>()(() => ({ collapsed: getStored<boolean>('collapsed') ?? false, drawer: false }))

export function toggleSidebar() {
  const collapsed = !useFrame.getState().collapsed
  setStored('collapsed', collapsed)
  useFrame.setState({ collapsed })
}

export const showDrawer = (drawer: boolean) => useFrame.setState({ drawer })
