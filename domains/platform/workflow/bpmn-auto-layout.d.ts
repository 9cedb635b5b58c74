declare module 'bpmn-auto-layout' {
  /** Returns the file with a generated diagram. */
  export function layoutProcess(xml: string): Promise<string>
}
