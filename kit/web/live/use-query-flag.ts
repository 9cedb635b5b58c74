import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * A boolean in a page's address beside the list's filters (`?isOffline=true`). Turned on when a link asks for it;
 * afterwards the user changes it, which does not change the address.
 */
export function useUrlFlag(name: string): [boolean, (isOn: boolean) => void] {
  const { search } = useLocation()
  const isRequested = new URLSearchParams(search).get(name) === 'true'
  const [isOn, setOn] = useState(isRequested)
  useEffect(() => {
    if (isRequested) setOn(true)
  }, [isRequested, search])
  return [isOn, setOn]
}
