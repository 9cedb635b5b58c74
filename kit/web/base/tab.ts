import { createContext, useContext, useEffect } from 'react'

/** What a page knows about its tab and may do with it; provided by the shell. */
type Tab = {
  key: string
  active: boolean
  setTitle: (title: string) => void
  close: () => void
}

export const TabContext = createContext<Tab>({ key: '', active: true, setTitle: () => {}, close: () => {} })

export const useTab = () => useContext(TabContext)

/** Sets the title of the tab and the window, such as the number of the order shown. */
export function useTabTitle(title: string | undefined) {
  const { setTitle } = useTab()
  useEffect(() => {
    if (title) setTitle(title)
  }, [title, setTitle])
}
