import { createContext, useContext, useEffect } from 'react'

/** What a page may do with the tab it lives in. The shell provides it. */
type Tab = {
  key: string
  active: boolean
  setTitle: (title: string) => void
  close: () => void
}

export const TabContext = createContext<Tab>({ key: '', active: true, setTitle: () => {}, close: () => {} })

export const useTab = () => useContext(TabContext)

/** Names the tab and the window after what the page shows, e.g. the number of an order. */
export function useTabTitle(title: string | undefined) {
  const { setTitle } = useTab()
  useEffect(() => {
    if (title) setTitle(title)
  }, [title, setTitle])
}
