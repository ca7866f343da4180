/** What an empty JVM takes. */
public class Empty {
  /** Does nothing. */
  public static void main(String[] args) {}
}
