// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SignedMath} from "@openzeppelin/contracts/utils/math/SignedMath.sol";
import {CallBounds} from "./CallBounds.sol";
import {CarryingValue} from "./CarryingValue.sol";
import {ClaimRegistry} from "./ClaimRegistry.sol";
import {Claim, QuoteReason, SECONDS_PER_DAY, VaultSetup} from "./Types.sol";
import {VaultRegistry} from "./VaultRegistry.sol";
import {VaultTerms} from "./VaultTerms.sol";

/// @notice Capital in one token that finances claims at a discount. Its owner, the curator, submits mandate and
/// pricing.
/// @dev Assumes a token that moves exactly the amount of a transfer (no fee on transfer, no rebasing). Only assets that
/// arrived by deposit or repayment count: tokens sent here by accident change nothing.
contract FinancingVault is ERC4626, VaultTerms, CallBounds {
    using SafeERC20 for IERC20;
    using CarryingValue for CarryingValue.Book;

    /// @notice Days after its due day in which the value of an unpaid allocation declines to zero.
    uint256 public constant WRITE_DOWN_DAYS = CarryingValue.WRITE_DOWN_DAYS;
    /// @notice Largest value of a vault, in base units, at which it takes deposits. It bounds shares, too.
    uint256 public constant MAX_ASSETS = type(uint192).max;
    /// @dev Nobody's shares: they make it expensive to change the price of the first ones.
    uint8 private constant VIRTUAL_DIGITS = 6;
    uint256 private constant VIRTUAL_SHARES = 10 ** VIRTUAL_DIGITS;

    ClaimRegistry public immutable claims;
    address public immutable router;
    VaultRegistry public immutable registry;

    /// @notice Idle assets, base units.
    uint256 public idleAssets;
    /// @notice Face that claims owe this vault, in base units.
    uint256 public outstandingFace;
    /// @notice The advances for `outstandingFace`, in base units.
    uint256 public outstandingAdvance;
    /// @notice The part of `outstandingFace` that the claims of an issuer owe, in base units. A financing adds the face
    /// of its slice, a repayment subtracts what arrives, and a decline in value changes nothing.
    mapping(address issuer => uint256) public outstandingFaceOf;
    CarryingValue.Book private _book;

    /// @notice The vault has paid the advance of a slice.
    event Funded(
        bytes32 indexed claimId, address indexed recipient, uint8 sliceIndex, uint256 faceAmount, uint256 advanceAmount
    );
    /// @notice The vault has received face of a slice. `advanceAmount` is the part of its advance for this face.
    event Repaid(bytes32 indexed claimId, uint8 sliceIndex, uint256 faceAmount, uint256 advanceAmount);

    error OnlyRouter();
    error InsufficientLiquidity(uint256 advanceAmount, uint256 fundableLiquidity);
    error AdvanceMismatch(uint256 advanceAmount, uint256 expected);
    /// @notice A deposit would issue no share.
    error NoShares();

    modifier onlyRouter() {
        if (msg.sender != router) revert OnlyRouter();
        _;
    }

    /// @dev Runs first, since ERC-4626 computes the value several times in a call.
    modifier carriedForward() {
        _book.carryForward(block.timestamp / SECONDS_PER_DAY);
        _;
    }

    constructor(VaultSetup memory setup, VaultRegistry registry_)
        ERC20(setup.name, setup.symbol)
        ERC4626(setup.token)
        VaultTerms(setup.curator, setup.noticePeriod, setup.terms)
    {
        registry = registry_;
        claims = registry_.claims();
        router = registry_.router();
        _book.open();
    }

    // ---------------------------------------------------------------- financing

    /// @notice The largest sum of advances that this vault can pay now, in base units.
    function fundableLiquidity() external view returns (uint256) {
        return idleAssets;
    }

    /// @notice Price of `faceAmount` (base units) of a claim now. Ignores liquidity, slices, pause and activity.
    /// @return acceptable Whether mandate and claim allow it.
    /// @return reason Why not; `NONE` when acceptable.
    /// @return discountAmount Base units, rounded up; zero, as the advance, when the claim is unknown or past due.
    /// @return advanceAmount Face less discount, base units. It can be zero for a face of a few units.
    function quote(bytes32 claimId, uint256 faceAmount)
        external
        view
        returns (bool acceptable, QuoteReason reason, uint256 discountAmount, uint256 advanceAmount)
    {
        Claim memory record = claims.claim(claimId);
        reason = _refusal(claimId, record, asset(), faceAmount);
        acceptable = reason == QuoteReason.NONE;
        if (record.dueDate > block.timestamp) (discountAmount, advanceAmount) = _price(record, faceAmount);
    }

    /// @notice Pays the advance for a reserved slice. Only the router may, which has checked the mandate.
    function fund(bytes32 claimId, uint8 sliceIndex, address recipient, uint256 faceAmount, uint256 advanceAmount)
        external
        onlyRouter
    {
        Claim memory record = claims.claim(claimId);
        (uint256 discountAmount, uint256 expected) = _price(record, faceAmount);
        if (advanceAmount != expected) revert AdvanceMismatch(advanceAmount, expected);
        if (advanceAmount > idleAssets) revert InsufficientLiquidity(advanceAmount, idleAssets);

        idleAssets -= advanceAmount;
        outstandingFace += faceAmount;
        outstandingFaceOf[record.issuer] += faceAmount;
        outstandingAdvance += advanceAmount;
        _book.add(record.dueDate, faceAmount, discountAmount);
        emit Funded(claimId, recipient, sliceIndex, faceAmount, advanceAmount);

        IERC20(asset()).safeTransfer(recipient, advanceAmount);
    }

    /// @notice Books a repayment of a slice, or of a part of it, at its face value. Only the router may.
    /// @dev The router has moved the tokens here in the same call.
    function recordRepayment(bytes32 claimId, uint8 sliceIndex, uint256 faceAmount, uint256 advanceAmount)
        external
        onlyRouter
    {
        Claim memory record = claims.claim(claimId);
        idleAssets += faceAmount;
        outstandingFace -= faceAmount;
        outstandingFaceOf[record.issuer] -= faceAmount;
        outstandingAdvance -= advanceAmount;
        _book.remove(record.dueDate, faceAmount, faceAmount - advanceAmount);
        emit Repaid(claimId, sliceIndex, faceAmount, advanceAmount);
    }

    /// @notice Carries the value forward, at most to `day` (from the epoch). Each deposit, withdrawal, financing and
    /// repayment does it, too. Only a vault that nobody used for more than about 1,400 due days needs this function,
    /// since one call cannot pay for all of them.
    function carryForward(uint256 day) external {
        _book.carryForward(Math.min(day, block.timestamp / SECONDS_PER_DAY));
    }

    /// @notice The value of what is financed, as it was carried forward last; base units times `CarryingValue.SCALE`.
    function lines() external view returns (CarryingValue.Lines memory) {
        return _book.lines;
    }

    // ---------------------------------------------------------------- ERC-4626

    // Shares are issued at the value of all claims, overdue ones at their face, and redeemed at the value after losses.
    // So a holder who enters right before a late payment gains nothing by it, and a holder who leaves before it bears
    // its part of the loss so far.

    /// @notice Value of the shares for those who leave, in base units, rounded down: idle assets plus the carrying
    /// value of outstanding claims. Zero where the vault has lent discounts that it does not earn yet, and lost them.
    function totalAssets() public view override returns (uint256) {
        (int256 gains, int256 losses) = _book.valueNow();
        return uint256(SignedMath.max(_scaledCost() + gains - losses, 0)) / CarryingValue.SCALE;
    }

    /// @notice Value of the shares for those who enter, in base units, rounded up: `totalAssets` before losses. It is
    /// never negative: discounts that are paid and not earned yet are idle assets, or lent at cost.
    function entryAssets() public view returns (uint256) {
        (int256 gains,) = _book.valueNow();
        return Math.ceilDiv(uint256(_scaledCost() + gains), CarryingValue.SCALE);
    }

    /// @notice The room up to `MAX_ASSETS`, base units. Zero for an inactive vault, and where it would issue no share.
    function maxDeposit(address) public view override returns (uint256) {
        uint256 most = Math.saturatingSub(MAX_ASSETS, entryAssets());
        return registry.isActive(address(this)) && previewDeposit(most) > 0 ? most : 0;
    }

    /// @notice The shares for `maxDeposit`. Zero for an inactive vault.
    function maxMint(address receiver) public view override returns (uint256) {
        return previewDeposit(maxDeposit(receiver));
    }

    /// @dev The most shares whose value idle assets cover. It limits `maxWithdraw`, which OpenZeppelin derives from it.
    function maxRedeem(address owner) public view override returns (uint256) {
        uint256 supply = totalSupply() + VIRTUAL_SHARES;
        uint256 covered = Math.mulDiv(idleAssets + 1, supply, totalAssets() + 1, Math.Rounding.Ceil) - 1;
        return Math.min(balanceOf(owner), covered);
    }

    function previewDeposit(uint256 assets) public view override returns (uint256) {
        return Math.mulDiv(assets, totalSupply() + VIRTUAL_SHARES, entryAssets() + 1);
    }

    function previewMint(uint256 shares) public view override returns (uint256) {
        return Math.mulDiv(shares, entryAssets() + 1, totalSupply() + VIRTUAL_SHARES, Math.Rounding.Ceil);
    }

    function deposit(uint256 assets, address receiver) public override carriedForward returns (uint256 shares) {
        return super.deposit(assets, receiver);
    }

    function mint(uint256 shares, address receiver) public override carriedForward returns (uint256 assets) {
        return super.mint(shares, receiver);
    }

    function withdraw(uint256 assets, address receiver, address owner)
        public
        override
        carriedForward
        returns (uint256 shares)
    {
        return super.withdraw(assets, receiver, owner);
    }

    function redeem(uint256 shares, address receiver, address owner)
        public
        override
        carriedForward
        returns (uint256 assets)
    {
        return super.redeem(shares, receiver, owner);
    }

    // The price can change between the preparation of a call and its block, so each of the four has a form with a bound
    // (ERC-5143).

    /// @notice `deposit` that issues at least `minShares`.
    function deposit(uint256 assets, address receiver, uint256 minShares) external returns (uint256 shares) {
        shares = _atLeast(deposit(assets, receiver), minShares);
    }

    /// @notice `deposit` that issues at least `minShares`, with the allowance of a permit (EIP-2612) of its caller.
    /// @param deadline Last second (Unix) of the permit, whose value is `assets` and whose spender is this vault.
    /// @dev The outcome of the permit is ignored, and the transfer decides: anyone can submit the permit first, which
    /// uses its nonce and leaves the allowance. Assets are taken from the caller only, whatever the token accepts.
    function depositWithPermit(
        uint256 assets, address receiver, uint256 minShares, uint256 deadline, uint8 v, bytes32 r, bytes32 s
    ) external returns (uint256 shares) {
        try IERC20Permit(asset()).permit(msg.sender, address(this), assets, deadline, v, r, s) {} catch {}
        shares = _atLeast(deposit(assets, receiver), minShares);
    }

    /// @notice `mint` that takes at most `maxAssets`.
    function mint(uint256 shares, address receiver, uint256 maxAssets) external returns (uint256 assets) {
        assets = _atMost(mint(shares, receiver), maxAssets);
    }

    /// @notice `withdraw` that takes at most `maxShares`.
    function withdraw(uint256 assets, address receiver, address owner, uint256 maxShares)
        external
        returns (uint256 shares)
    {
        shares = _atMost(withdraw(assets, receiver, owner), maxShares);
    }

    /// @notice `redeem` that pays at least `minAssets`.
    function redeem(uint256 shares, address receiver, address owner, uint256 minAssets)
        external
        returns (uint256 assets)
    {
        assets = _atLeast(redeem(shares, receiver, owner), minAssets);
    }

    /// @dev Counts the assets only once their shares exist: a token that calls the sender while it moves would
    /// otherwise let it redeem older shares at a price that already contains this deposit.
    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        if (shares == 0) revert NoShares();
        super._deposit(caller, receiver, assets, shares);
        idleAssets += assets;
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        idleAssets -= assets;
        super._withdraw(caller, receiver, owner, assets, shares);
    }

    function _decimalsOffset() internal pure override returns (uint8) {
        return VIRTUAL_DIGITS;
    }

    /// @dev A claim that can be financed is not due, so nothing of it is paid, and all of this face is outstanding.
    function _financedFace(bytes32 claimId) internal view override returns (uint256) {
        return claims.faceFinancedBy(address(this), claimId);
    }

    function _owedFace(address issuer) internal view override returns (uint256) {
        return outstandingFaceOf[issuer];
    }

    /// @dev Assets at cost times `SCALE`.
    function _scaledCost() private view returns (int256) {
        return int256((idleAssets + outstandingAdvance) * CarryingValue.SCALE);
    }
}
