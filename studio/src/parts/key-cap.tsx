import styles from "./key-cap.module.css";

/** A key as it is drawn beside what it does. Who cannot see it learns it from the help. */
export const KeyCap = ({ children }: { children: string }) => <kbd className={styles.key}>{children}</kbd>;
