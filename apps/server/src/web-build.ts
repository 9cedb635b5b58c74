/** Where nobody builds, as in tests and behind `node main.ts`, what is there is served. */
let building: Promise<boolean> = Promise.resolve(true)

/**
 * A start builds the browser app (scripts/build-web.ts) beside all else it does: its database, and the story the first
 * time. Says which build nothing is served before.
 */
export const registerWebBuild = (build: Promise<boolean>): void => void (building = build)

/** Resolves when the browser app is there, to false when it could not be built. */
export const waitForWebBuild = (): Promise<boolean> => building
