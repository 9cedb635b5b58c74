import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * A yes-or-no part of a page's address beside the filters of its list (`?isOffline=true`): on when a link asks for it,
 * then the reader's to turn.
 */
export function useUrlFlag(name: string): [boolean, (isOn: boolean) => void] {
  const { search } = useLocation()
  const isAsked = new URLSearchParams(search).get(name) === 'true'
  const [isOn, setOn] = useState(isAsked)
  useEffect(() => {
    if (isAsked) setOn(true)
  }, [isAsked, search])
  return [isOn, setOn]
}
