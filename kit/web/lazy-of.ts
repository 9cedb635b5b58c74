import { lazy, type ComponentType } from 'react'

/** `lazy` for a part that takes the family it shows as a type parameter, which React's own type forgets. */
export const lazyGenericComponent = <T extends ComponentType<any>>(load: () => Promise<{ default: T }>) =>
  lazy(load) as ReturnType<typeof lazy<T>> & T
